#include "git/store/diff.hpp"

#include "base/files.hpp"
#include "base/scratch_directory.hpp"
#include "base/strings.hpp"
#include "git/environment.hpp"
#include "git/store/layout.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace hydra::git {
namespace {

Error malformed() { return Error{Errc::git, "git printed a diff that cannot be read", {}, {}}; }

constexpr std::size_t kMostKeptDiff = 64u << 20;

fs::path kept_diff(const fs::path& store, const std::string& commit) { return store / "diffs" / commit; }

// Passes a path literally, never as a pattern.
std::vector<std::string> sides_of(const CompareRequest& request) {
  std::vector<std::string> args;
  if (request.ignore_space) args.emplace_back("--ignore-all-space");
  args.insert(args.end(), {request.from, request.to, "--"});
  if (!request.path.empty()) args.push_back(":(top,literal)" + request.path);
  return args;
}

}  // namespace

const std::vector<std::string>& diff_options() {
  static const std::vector<std::string> kOptions{"-r",
                                                 "-z",
                                                 "--raw",
                                                 "--numstat",
                                                 "--no-abbrev",
                                                 "-M",
                                                 "--no-ext-diff",
                                                 "--no-textconv",
                                                 "--ignore-submodules=none",
                                                 "--diff-algorithm=myers"};
  return kOptions;
}

Result<std::string> diff_text(const Command& git, std::vector<std::string> command,
                              const std::vector<std::string>& sides) {
  for (const auto* words : {&diff_options(), &sides})
    command.insert(command.end(), words->begin(), words->end());
  return git.output(command);
}

Result<std::vector<RawEntry>> compare_trees(const Command& git, const std::string& from,
                                            const std::string& to) {
  HYDRA_TRY(const auto text, diff_text(git, {"diff-tree"}, {from, to}));
  return parse_diff(text);
}

Result<std::vector<RawEntry>> changes_between(const Command& git, const std::string& from,
                                              const std::string& to) {
  HYDRA_TRY(const auto text, git.output({"diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames",
                                         "--no-ext-diff", "--ignore-submodules=none", from, to}));
  return parse_diff(text);
}

Result<std::vector<RawEntry>> parse_diff(std::string_view text) {
  std::vector<RawEntry> entries;
  std::map<std::string, std::size_t, std::less<>> by_path;
  const auto parts = records(text);
  for (std::size_t i = 0; i < parts.size();) {
    const auto part = parts[i++];
    if (part.starts_with(':')) {
      const auto fields = split(part.substr(1), ' ');
      if (fields.size() != 5 || fields[4].empty() || i >= parts.size()) return malformed();
      RawEntry entry;
      entry.old_mode = fields[0];
      entry.new_mode = fields[1];
      entry.old_id = fields[2];
      entry.new_id = fields[3];
      entry.status = fields[4].front();
      entry.old_path = entry.path = std::string(parts[i++]);
      if (entry.status == 'R' || entry.status == 'C') {
        if (i >= parts.size()) return malformed();
        entry.path = std::string(parts[i++]);
      }
      by_path.emplace(entry.path, entries.size());
      entries.push_back(std::move(entry));
      continue;
    }
    const auto first = part.find('\t');
    const auto second = first == std::string_view::npos ? first : part.find('\t', first + 1);
    if (second == std::string_view::npos) return malformed();
    std::string_view path = part.substr(second + 1);
    if (path.empty()) {
      if (i + 1 >= parts.size()) return malformed();
      path = parts[i + 1];
      i += 2;
    }
    const auto found = by_path.find(path);
    if (found == by_path.end()) return malformed();
    RawEntry& entry = entries[found->second];
    entry.binary = part.starts_with('-');
    entry.added = parse_int(part.substr(0, first)).value_or(0);
    entry.removed = parse_int(part.substr(first + 1, second - first - 1)).value_or(0);
  }
  return entries;
}

Result<std::int64_t> line_ends_only(const Command& git, const std::string& from, const std::string& to,
                                    const std::vector<RawEntry>& entries) {
  const auto same_length = [](const RawEntry& e) { return e.added > 0 && e.added == e.removed; };
  if (std::none_of(entries.begin(), entries.end(), same_length)) return 0;
  HYDRA_TRY(const auto text, diff_text(git, {"diff-tree", "--ignore-cr-at-eol"}, {from, to}));
  HYDRA_TRY(const auto without, parse_diff(text));
  std::unordered_set<std::string_view> differ;
  for (const auto& entry : without)
    if (entry.added + entry.removed > 0) differ.insert(entry.path);
  return std::count_if(entries.begin(), entries.end(), [&](const RawEntry& entry) {
    return same_length(entry) && !differ.contains(entry.path);
  });
}

model::DiffStat sum(const std::vector<RawEntry>& entries) {
  model::DiffStat total;
  for (const auto& entry : entries) {
    total.lines_added += entry.added;
    total.lines_removed += entry.removed;
    ++total.files_changed;
  }
  return total;
}

Result<void> Store::keep_diff(const std::string& commit, const std::string& text) const {
  const auto file = kept_diff(directory_, commit);
  HYDRA_CHECK(make_dirs(file.parent_path()));
  return write_file_atomic(file, text, false);
}

Result<std::vector<DiffEntry>> Store::diff_entries(const std::string& commit) const {
  const auto text = read_file(kept_diff(directory_, commit), kMostKeptDiff);
  if (!text.ok()) return compare({repository_.base, commit, {}});
  HYDRA_TRY(const auto raw, parse_diff(*text));
  return std::vector<DiffEntry>(raw.begin(), raw.end());
}

Result<std::vector<DiffEntry>> Store::compare(const CompareRequest& request) const {
  HYDRA_TRY(const auto text, diff_text(command(), {"diff-tree"}, sides_of(request)));
  HYDRA_TRY(const auto raw, parse_diff(text));
  return std::vector<DiffEntry>(raw.begin(), raw.end());
}

Result<std::string> Store::diff(const std::string& commit, std::size_t max_bytes) const {
  return patch({repository_.base, commit, {}}, max_bytes);
}

Result<std::string> Store::patch(const CompareRequest& request, std::size_t max_bytes) const {
  std::vector<std::string> args{"diff-tree",     "-r",           "-p", "-M", "--full-index", "--no-color",
                                "--no-ext-diff", "--no-textconv"};
  if (request.context != 3) args.push_back("-U" + std::to_string(request.context));
  if (request.utf8) args.emplace_back("--binary");
  const auto sides = sides_of(request);
  args.insert(args.end(), sides.begin(), sides.end());
  auto git = command();
  // Non-ASCII names are printed as they are; git still quotes characters that could end a line.
  HYDRA_TRY(auto text, git.config("core.quotePath", "false").output(args));
  const auto is_utf8 = [&] { return !request.utf8 || to_utf8(text) == text; };
  if (!is_utf8()) {
    HYDRA_TRY(text, git.config("core.quotePath", "true").output(args));
  }
  if (!is_utf8()) {
    // The store's own attributes say how its files are shown.
    const ScratchDirectory place(directory_ / "binary-XXXXXX");
    if (place.error() != 0) return system_error("cannot write below " + directory_.string(), place.error());
    HYDRA_CHECK(write_repository(place.path(), {request.to, {}, {directory_ / "objects"}, {}, "* -diff\n"},
                                 repository_));
    HYDRA_TRY(text, git.git_dir(place.path()).output(args));
  }
  if (text.size() > max_bytes) text.resize(max_bytes);
  return text;
}

}  // namespace hydra::git
