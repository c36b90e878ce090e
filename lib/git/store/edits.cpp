// Reading what a candidate changed, and making the tree that its checks run on out of it.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/object_database.hpp"

namespace hydra::git {
namespace {

constexpr std::int64_t kMostBytes = 64 << 20;

/// A name that can stand in a file name: agents' names and "@" are plain already.
std::string file_safe(const std::string& name) { return replace_all(name, "/", "_"); }

}  // namespace

Result<std::vector<std::optional<std::string>>> Store::blobs(const std::vector<std::string>& ids,
                                                             std::size_t max_bytes) const {
  std::vector<std::optional<std::string>> found(ids.size());
  if (ids.empty()) return found;
  if (auto read = database().blobs(ids, max_bytes, kMostBytes)) return std::move(*read);
  std::string asked;
  for (const auto& id : ids) asked += id + "\n";
  HYDRA_TRY(const auto sizes,
            command().output({"cat-file", "--batch-check=%(objecttype) %(objectsize)"}, asked));
  std::vector<std::size_t> wanted;
  std::string wanted_ids;
  std::int64_t total = 0;
  std::size_t row = 0;
  for (const auto line : lines(sizes)) {
    if (row >= ids.size()) break;
    const auto at = row++;
    if (!line.starts_with("blob ")) continue;
    const auto size = parse_int(line.substr(5)).value_or(-1);
    if (size < 0 || size > static_cast<std::int64_t>(max_bytes) || total + size > kMostBytes) continue;
    total += size;
    wanted.push_back(at);
    wanted_ids += ids[at] + "\n";
  }
  if (wanted.empty()) return found;
  HYDRA_TRY(const auto text, command().output({"cat-file", "--batch=%(objectsize)"}, wanted_ids));
  std::size_t at = 0;
  for (const auto index : wanted) {
    const auto end = text.find('\n', at);
    const auto size =
        end == std::string::npos ? std::nullopt : parse_int(std::string_view(text).substr(at, end - at));
    if (!size || *size < 0 || text.size() - end - 1 < static_cast<std::size_t>(*size) + 1)
      return Error{Errc::git, "git printed objects that cannot be read", {}, {}};
    found[index] = text.substr(end + 1, static_cast<std::size_t>(*size));
    at = end + 1 + static_cast<std::size_t>(*size) + 1;
  }
  return found;
}

std::optional<std::string> Store::base_file(const std::string& path, std::size_t max_bytes) const {
  const auto name = repository_.base + ":" + path;
  if (path.find('\n') != std::string::npos) return std::nullopt;
  auto found = blobs({name}, max_bytes);
  return found.ok() ? std::move(found->front()) : std::nullopt;
}

Result<void> Store::write_history(const fs::path& directory) const {
  const auto& base = repository_.base;
  std::error_code ec;
  if (fs::exists(directory / "pack", ec)) return {};
  const auto half = directory.parent_path() / (directory.filename().string() + ".new");
  HYDRA_CHECK(remove_tree(half));
  HYDRA_CHECK(make_dirs(half / "pack", 0755));
  const Command git = command();
  HYDRA_TRY(const auto commits, git.output({"rev-list", "--max-count=20000", base}));
  HYDRA_TRY(const auto trees, git.output({"rev-list", "--objects", "--no-object-names", "--filter=blob:none",
                                          "--max-count=1", base}));
  HYDRA_CHECK(git.output({"pack-objects", "-q", (half / "pack/pack").string()}, commits + trees));
  fs::rename(half, directory, ec);
  return ec ? Result<void>(system_error("cannot name " + directory.string(), ec.value())) : Result<void>{};
}

Result<std::string> Store::tree_of(const std::string& commit) const {
  if (auto tree = database().tree_of(commit)) return std::move(*tree);
  return command().line({"rev-parse", "--verify", commit + "^{tree}"});
}

Result<std::string> Store::edited(const std::string& commit, const std::vector<TreeEdit>& edits,
                                  const std::string& name) const {
  const auto index = directory_ / ("index-" + file_safe(name));
  drop_lock(index);
  Command git = command();
  git.index(index);
  const auto make = [&]() -> Result<std::string> {
    HYDRA_CHECK(git.output({"read-tree", commit}));
    std::string entries;
    for (const auto& edit : edits) {
      auto id = edit.id;
      if (edit.mode.empty()) {
        entries += "0 " + std::string(repository_.base.size(), '0') + "\t" + edit.path + '\0';
        continue;
      }
      if (edit.text) {
        HYDRA_TRY(id, git.line({"hash-object", "-w", "--stdin"}, *edit.text));
      }
      entries += edit.mode + " " + id + "\t" + edit.path + '\0';
    }
    HYDRA_CHECK(git.output({"update-index", "--add", "--replace", "-z", "--index-info"}, entries));
    return git.line({"write-tree"});
  };
  auto tree = make();
  (void)remove_tree(index);
  drop_lock(index);
  if (!tree.ok()) return std::move(tree).error();
  HYDRA_TRY(auto made, commit_tree(git, *tree, name));
  return std::move(made.commit);
}

}  // namespace hydra::git
