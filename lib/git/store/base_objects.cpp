#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "git/store/objects.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

namespace hydra::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPacks = 12;  // of one base; above, all are packed again
constexpr std::size_t kKeptBases = 4;   // of one repository
constexpr std::size_t kKeptRepositories = 50;

/// Subdirectories, newest first.
std::vector<fs::path> directories_of(const fs::path& above) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code ec;
  for (fs::directory_iterator entry(above, ec), end; !ec && entry != end; entry.increment(ec)) {
    std::error_code gone;
    if (const auto at = entry->last_write_time(gone); !gone) found.emplace_back(at, entry->path());
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto& [at, path] : found) paths.push_back(std::move(path));
  return paths;
}

Result<void> link_packs(const fs::path& from, const fs::path& to) {
  HYDRA_CHECK(make_dirs(to / "pack", 0700));
  std::error_code ec;
  for (fs::directory_iterator entry(from / "pack", ec), end; !ec && entry != end; entry.increment(ec)) {
    const auto target = to / "pack" / entry->path().filename();
    std::error_code failed;
    fs::create_hard_link(entry->path(), target, failed);
    if (failed) fs::copy_file(entry->path(), target, failed);
    if (failed) return system_error("cannot make " + target.string(), failed.value());
  }
  if (ec) return system_error("cannot read " + from.string(), ec.value());
  return {};
}

std::size_t packs_in(const fs::path& objects) {
  std::error_code ec;
  std::size_t count = 0;
  for (fs::directory_iterator entry(objects / "pack", ec), end; !ec && entry != end; entry.increment(ec))
    if (entry->path().extension() == ".pack") ++count;
  return count;
}

/// The newest cached base that is an ancestor of `base`; empty: none, or it has too many packs.
fs::path base_before(const Command& git, const std::string& base, const fs::path& repository) {
  for (const auto& known : directories_of(repository)) {
    const auto commit = known.filename().string();
    if (commit.starts_with('.')) continue;
    if (git.succeeds({"merge-base", "--is-ancestor", commit, base}).value_or(false))
      return packs_in(known) < kMostPacks ? known : fs::path();
  }
  return {};
}

/// Input of `pack-objects --revs`: the wanted tips, and the commit `before` to exclude.
std::string wanted_objects(const std::string& base, const std::string& tags, const fs::path& before) {
  auto wanted = base + "\n";
  for (const auto line : lines(tags))
    if (!line.starts_with('#') && !line.starts_with('^'))
      wanted += std::string(line.substr(0, line.find(' '))) + "\n";
  if (!before.empty()) wanted += "^" + before.filename().string() + "\n";
  return wanted;
}

// Reuses the deltas of the user's packs and searches no others: the cost is that of copying.
Result<void> pack_base(const Command& git, const model::RepositoryFacts& facts, const std::string& tags,
                       const fs::path& before, const fs::path& made) {
  HYDRA_CHECK(make_dirs(made / "pack", 0700));
  if (!before.empty()) HYDRA_CHECK(link_packs(before, made));
  // git makes temporary files in its object directory, which would be the user's: possibly on another disk,
  // and Hydra must leave nothing there.
  Command packer = git;
  packer.variable("GIT_OBJECT_DIRECTORY", made.string()).also_reads(fs::path(facts.common_dir) / "objects");
  HYDRA_CHECK(packer.step("packing the history of the base",
                          {"pack-objects", "-q", "--revs", "--window=0", "--delta-base-offset", "--non-empty",
                           (made / "pack/pack").string()},
                          wanted_objects(facts.base, tags, before)));
  return {};
}

void drop_old(const fs::path& above, std::size_t kept) {
  const auto all = directories_of(above);
  for (std::size_t i = kept; i < all.size(); ++i) (void)remove_tree(all[i]);
}

}  // namespace

Result<void> make_base_objects(const Command& git, const model::RepositoryFacts& facts,
                               const std::string& tags, const fs::path& cache, const fs::path& place) {
  HYDRA_CHECK(remove_tree(place));  // left by a killed start
  if (cache.empty()) return pack_base(git, facts, tags, {}, place);
  const auto repository = cache / sha256_hex(facts.common_dir).substr(0, 16);
  const auto known = repository / facts.base;
  std::error_code ec;
  if (!fs::is_directory(known, ec)) {
    const auto fresh = repository / (".new-" + sha256_hex(place.string()).substr(0, 16));
    HYDRA_CHECK(remove_tree(fresh));
    HYDRA_CHECK(pack_base(git, facts, tags, base_before(git, facts.base, repository), fresh));
    fs::rename(fresh, known, ec);
    // Another race made the directory meanwhile.
    if (ec && !fs::is_directory(known)) return system_error("cannot make " + known.string(), ec.value());
    if (ec) HYDRA_CHECK(remove_tree(fresh));
  }
  HYDRA_CHECK(link_packs(known, place));
  const auto now = fs::file_time_type::clock::now();
  for (const auto& used : {known, repository}) fs::last_write_time(used, now, ec);
  drop_old(repository, kKeptBases);
  drop_old(cache, kKeptRepositories);
  return {};
}

}  // namespace hydra::git
