#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/capture/capture.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace hydra::git {
namespace {

constexpr std::size_t kMaxFiles = 2000;
constexpr std::size_t kMaxBytes = 4u << 20;

}  // namespace

std::int64_t count_lines(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat st {};
  if (!fd || ::fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)) return 0;
  std::string text(std::min(static_cast<std::size_t>(st.st_size), kMaxBytes), '\0');
  const ssize_t n = ::read(fd.get(), text.data(), text.size());
  if (n <= 0) return 0;
  text.resize(static_cast<std::size_t>(n));
  if (text.substr(0, 8000).find('\0') != std::string::npos) return 0;
  return std::count(text.begin(), text.end(), '\n') + (text.ends_with('\n') ? 0 : 1);
}

void add_numbers(std::string_view numstat, model::DiffStat& stat) {
  for (const auto record : records(numstat)) {
    const auto fields = split(record, '\t');
    if (fields.size() < 3) continue;
    stat.lines_added += parse_int(fields[0]).value_or(0);
    stat.lines_removed += parse_int(fields[1]).value_or(0);
    ++stat.files_changed;
  }
}

Result<model::DiffStat> Store::live_diff(const Worktree& tree, const std::string& name) const {
  if (tree.layered()) return live_layer(tree, name);
  const auto& directory = tree.directory;
  Command git = command();
  // Both calls only read the seed: neither refreshes an index.
  git.work_tree(directory).cwd(directory).index(directory_ / ("seed." + name));
  HYDRA_TRY(const auto changed,
            git.step("looking at the diff", {"diff-files", "--numstat", "-z", "--no-renames", "--no-ext-diff",
                                             "--no-textconv", "--ignore-submodules=all"}));
  model::DiffStat stat;
  add_numbers(changed, stat);
  HYDRA_TRY(const auto fresh,
            git.step("looking for new files",
                     {"ls-files", "-z", "-o", "--exclude-from=" + (directory_ / "ignore").string()}));
  std::size_t counted = 0;
  for (const auto record : records(fresh)) {
    if (record.ends_with('/')) continue;
    ++stat.files_changed;
    if (++counted <= kMaxFiles) stat.lines_added += count_lines(directory / std::string(record));
  }
  return stat;
}

}  // namespace hydra::git
