#include "git/merge/import.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/store/layout.hpp"
#include "git/store/object_database.hpp"

#include <cerrno>
#include <map>
#include <system_error>
#include <unistd.h>

namespace hydra::git {
namespace {

/// Unchecked objects in a directory inside the user's object store, so that a rename releases them. The
/// destructor removes the others; `git prune` removes such directories after a kill.
class Quarantine {
 public:
  Quarantine(fs::path objects, const std::string& of)
      : objects_(std::move(objects)), path_(objects_ / ("tmp_objdir-hydra-" + of)) {}
  ~Quarantine() { (void)remove_tree(path_); }
  Quarantine(const Quarantine&) = delete;
  Quarantine& operator=(const Quarantine&) = delete;

  [[nodiscard]] Result<void> make() const {
    HYDRA_CHECK(remove_tree(path_));  // left by a killed import
    HYDRA_CHECK(make_dirs(path_ / "pack"));
    HYDRA_CHECK(make_dirs(path_ / "info"));
    return write_file(path_ / "info/alternates", alternates_line(objects_));
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

  /// Moves the pack into the user's store, its index last: git ignores a pack without an index. `keep`: moves
  /// the keep file too.
  [[nodiscard]] Result<void> release(const std::string& name, bool keep) const {
    HYDRA_CHECK(make_dirs(objects_ / "pack"));
    std::vector<fs::path> moved;
    for (const char* end : {".keep", ".pack", ".rev", ".idx"}) {
      const fs::path from = path_ / "pack" / (name + end), to = objects_ / "pack" / (name + end);
      if (end == std::string_view(".keep") && !keep) continue;
      // An existing pack of that name has equal content.
      if (::access(from.c_str(), F_OK) != 0 || (::access(to.c_str(), F_OK) == 0 && end[1] != 'k')) continue;
      if (::rename(from.c_str(), to.c_str()) == 0) {
        moved.push_back(to);
        continue;
      }
      const int failed = errno;
      for (const auto& path : moved) ::unlink(path.c_str());
      return system_error("cannot make " + to.string(), failed);
    }
    return {};
  }

 private:
  fs::path objects_, path_;
};

/// Findings of git's check, by the paths of the objects: "error: object ID: gitmodulesUrl: disallowed …".
/// `warnings`: include warnings, since git only warns about names that lead out of a checkout.
std::vector<std::string> findings(const Command& store, const std::string& wanted, const std::string& said,
                                  bool warnings) {
  constexpr std::size_t kMost = 5;
  std::map<std::string, std::string, std::less<>> found;  // object -> finding
  for (const auto line : lines(said)) {
    for (const std::string_view kind : {"error: object ", "warning: object "}) {
      if (!line.starts_with(kind) || (kind.front() == 'w' && !warnings) || found.size() >= kMost) continue;
      const auto colon = line.find(": ", kind.size());
      if (colon != std::string_view::npos)
        found.emplace(line.substr(kind.size(), colon - kind.size()), sanitize(trim(line.substr(colon + 2))));
    }
  }
  std::vector<std::string> texts;
  if (found.empty()) return texts;
  std::map<std::string, std::string, std::less<>> paths;
  if (const auto listed = store.run({"rev-list", "--objects", "--stdin"}, wanted); listed.ok())
    for (const auto line : lines(listed->out)) {
      const auto id = line.substr(0, line.find(' '));
      if (found.contains(id)) paths.emplace(id, id.size() < line.size() ? line.substr(id.size() + 1) : "");
    }
  for (const auto& [id, words] : found) {
    const auto& path = paths[id];
    texts.push_back((path.empty() ? "object " + id.substr(0, 12) : sanitize(path)) + ": " + words);
  }
  return texts;
}

Error refusal(const Command& store, const std::string& wanted, const exec::ToolOutput& said) {
  const auto found = findings(store, wanted, said.err, false);
  if (found.empty()) return git_error("git index-pack", said);
  return refused("git refuses " + join(found, "; "),
                 "look at it with `hydra diff`; it is in no repository but Hydra's own");
}

}  // namespace

Result<KeptPack> import_commits(const Command& store, const fs::path& directory, const Command& user,
                                const fs::path& objects, const std::vector<std::string>& commits,
                                const std::string& base, const std::string& of) {
  std::string wanted;
  for (const auto& commit : commits) wanted += commit + "\n";
  wanted += "^" + base + "\n";
  auto pack = pack_of(directory / "objects", commits, base);
  if (!pack) {
    HYDRA_TRY(pack, store.output({"pack-objects", "-q", "--revs", "--thin", "--stdout"}, wanted));
  }
  // Objects that git refuses leave nothing in the user's repository.
  const Quarantine quarantine(objects, commits.front());
  HYDRA_CHECK(quarantine.make());
  Command inside = user;
  inside.variable("GIT_OBJECT_DIRECTORY", quarantine.path().string());
  // The keep file protects the pack from a `git gc --prune=now` of the user until a ref names the objects.
  const std::string text = of.empty() ? "hydra" : "hydra: " + of;
  HYDRA_TRY(auto said, inside.run({"index-pack", "--stdin", "--fix-thin", "--fsck-objects", "--keep=" + text},
                                  std::move(*pack)));
  if (!said.ok()) return refusal(store, wanted, said);
  const auto tab = said.out.find('\t');
  if (tab == std::string::npos) return Error{Errc::git, "git index-pack gave an unexpected answer", {}, {}};
  const auto name = "pack-" + std::string(trim(std::string_view(said.out).substr(tab + 1)));
  KeptPack kept;
  const auto keep = objects / "pack" / (name + ".keep");
  // An existing keep file is Hydra's only if its text says so: it belongs to a killed import then.
  const auto there = read_file(keep, 256);
  const bool ours = !there.ok() || *there == "hydra\n" || *there == text + "\n";
  HYDRA_CHECK(quarantine.release(name, ours));
  if (ours) kept.keep = keep;
  return kept;
}

Result<std::vector<std::string>> what_git_refuses(const Command& store, const fs::path& objects,
                                                  const std::string& wanted, const std::string& of) {
  HYDRA_TRY(auto pack, store.output({"pack-objects", "-q", "--revs", "--thin", "--stdout"}, wanted));
  const Quarantine quarantine(objects, of);
  HYDRA_CHECK(quarantine.make());
  Command inside = store;
  inside.variable("GIT_OBJECT_DIRECTORY", quarantine.path().string());
  HYDRA_TRY(const auto said,
            inside.run({"index-pack", "--stdin", "--fix-thin", "--fsck-objects"}, std::move(pack)));
  auto found = findings(store, wanted, said.err, true);
  if (found.empty() && !said.ok()) return git_error("git index-pack", said);
  return found;
}

void release_all(const fs::path& objects, const std::string& of) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (fs::directory_iterator entry(objects / "pack", error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".keep" &&
        read_file(entry->path(), 256).value_or("") == "hydra: " + of + "\n")
      ours.push_back(entry->path());
  for (const auto& path : ours) ::unlink(path.c_str());
}

void release(const KeptPack& kept) {
  if (!kept.keep.empty()) ::unlink(kept.keep.c_str());
}

}  // namespace hydra::git
