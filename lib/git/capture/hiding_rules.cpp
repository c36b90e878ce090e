// Ignore rules of a result that hide files of the result: the files are captured all the same, and people are
// told.
#include "base/strings.hpp"
#include "git/capture/capture.hpp"
#include "git/merge/checkout_move.hpp"
#include "git/store/object_database.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hydra::git {

Result<void> Capturing::flag_hiding_rules(const std::vector<RawEntry>& entries, model::Capture& capture) {
  const ObjectDatabase objects(store_ / "objects");
  // changed rule file -> lines of the base's file
  std::map<std::string, std::set<std::string, std::less<>>> known;
  for (const auto& entry : entries) {
    if (entry.status == 'D' || !entry.new_mode.starts_with("100") || !is_rules(entry.path)) continue;
    auto& rules = known[entry.path];
    if (entry.status == 'A') continue;
    const auto before = objects.blob(entry.old_id).value_or("");
    for (const auto line : lines(before)) rules.emplace(trim(line));
  }
  // git would block for ever at a FIFO of that name.
  if (known.empty() || std::any_of(scan_.special.begin(), scan_.special.end(), is_rules)) return {};
  std::string paths;
  const std::set<std::string, std::less<>> gone(removed_.begin(), removed_.end());
  for (const auto& path : tracked_)
    if (!gone.contains(path)) paths += path + '\0';
  for (const auto& path : untracked_) paths += path + '\0';
  HYDRA_TRY(const Command rules_in_tree, rules_of_agent());
  HYDRA_TRY(const auto answer,
            rules_in_tree.run({"check-ignore", "-z", "-v", "--no-index", "--stdin"}, std::move(paths)));
  if (answer.exit_code > 1) {
    warnings_.push_back("its new ignore rules cannot be read: " + last_words(answer.err));
    return {};
  }
  std::map<std::string, std::vector<std::string>> hidden;  // rule file -> paths
  const auto fields = records(answer.out);
  for (std::size_t i = 0; i + 3 < fields.size(); i += 4) {
    const auto rules = known.find(std::string(fields[i]));
    const auto pattern = fields[i + 2];
    if (rules == known.end() || pattern.starts_with('!') || rules->second.contains(trim(pattern))) continue;
    hidden[rules->first].emplace_back(fields[i + 3]);
  }
  for (auto& [file, names] : hidden) {
    std::sort(names.begin(), names.end());
    capture.flags.push_back({model::FlagKind::hides_files, file});
    warnings_.push_back(sanitize(file) + " has new rules that hide files of the result: " + listed(names, 3));
  }
  return {};
}

}  // namespace hydra::git
