// Reads a result's changes, and makes from them the tree that its checks run on.
#include "base/files.hpp"
#include "base/scratch_directory.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/repository.hpp"
#include "git/store/layout.hpp"
#include "git/store/objects.hpp"

namespace hydra::git {
namespace {

constexpr std::int64_t kMostBytes = 64 << 20;

}  // namespace

Result<std::vector<std::optional<std::string>>> Store::blobs(const std::vector<std::string>& ids,
                                                             std::size_t max_bytes) const {
  if (auto read = database().blobs(ids, max_bytes, kMostBytes)) return std::move(*read);
  return ask_for_blobs(command(), ids, max_bytes, kMostBytes);
}

Result<std::uint64_t> Store::bytes_of(const std::string& commit) const {
  HYDRA_TRY(const auto text, command().output({"ls-tree", "-r", "-l", "-z", commit}));
  std::uint64_t sum = 0;
  // "MODE TYPE ID SIZE<tab>PATH"; a submodule has no size.
  for (const auto record : split(text, '\0')) {
    const auto facts = record.substr(0, record.find('\t'));
    if (const auto bytes = parse_int(facts.substr(facts.rfind(' ') + 1)))
      sum += static_cast<std::uint64_t>(*bytes);
  }
  return sum;
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
  HYDRA_CHECK(make_dirs(directory.parent_path(), 0700));
  const ScratchDirectory scratch(directory.string() + ".XXXXXX");  // for concurrent callers
  if (scratch.path().empty()) return system_error("cannot make " + directory.string(), scratch.error());
  const auto half = scratch.path() / "objects";
  HYDRA_CHECK(make_dirs(half / "pack", 0755));
  const Command git = command();
  HYDRA_TRY(const auto commits, git.output({"rev-list", "--max-count=20000", base}));
  HYDRA_TRY(const auto trees, git.output({"rev-list", "--objects", "--no-object-names", "--filter=blob:none",
                                          "--max-count=1", base}));
  HYDRA_CHECK(git.output({"pack-objects", "-q", (half / "pack/pack").string()}, commits + trees));
  fs::rename(half, directory, ec);
  return ec && !fs::exists(directory / "pack")
             ? Result<void>(system_error("cannot name " + directory.string(), ec.value()))
             : Result<void>{};
}

Result<std::string> Store::tree_of(const std::string& commit) const {
  if (auto tree = database().tree_of(commit)) return std::move(*tree);
  return command().line({"rev-parse", "--verify", commit + "^{tree}"});
}

Result<std::string> Store::edited(const std::string& commit, const std::vector<TreeEdit>& edits,
                                  const std::string& name) const {
  // Agents' names and "@" are valid in file names.
  const ScratchIndex index(directory_ / ("index-" + replace_all(name, "/", "_")));
  Command git = command();
  git.index(index.path());
  HYDRA_CHECK(git.output({"read-tree", commit}));
  const auto objects = database();
  std::string entries;
  for (const auto& edit : edits) {
    auto id = edit.id;
    if (edit.mode.empty()) {
      entries += "0 " + std::string(repository_.base.size(), '0') + "\t" + edit.path + '\0';
      continue;
    }
    if (edit.text) {
      // A project's tests have hundreds of twins (docs/integrity.md): one program each would take seconds.
      if (auto written = objects.write_blob(*edit.text)) {
        id = std::move(*written);
      } else {
        HYDRA_TRY(id, git.line({"hash-object", "-w", "--stdin"}, *edit.text));
      }
    }
    entries += edit.mode + " " + id + "\t" + edit.path + '\0';
  }
  HYDRA_CHECK(git.output({"update-index", "--add", "--replace", "-z", "--index-info"}, entries));
  HYDRA_TRY(const auto tree, git.line({"write-tree"}));
  HYDRA_TRY(auto made, commit_tree(git, tree, name));
  return std::move(made.commit);
}

}  // namespace hydra::git
