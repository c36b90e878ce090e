#include "cli/render/decision_lines.hpp"

#include "base/strings.hpp"
#include "cli/context.hpp"
#include "cli/programs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <vector>

namespace hydra::cli {
namespace {

constexpr std::size_t kNamedTests = 3;

std::string day_of(std::int64_t at_ms) {
  return fmt::format("{:%Y-%m-%d}", fmt::localtime(static_cast<std::time_t>(at_ms / 1000)));
}

std::string git_value(const char* key) {
  const auto found = run_captured({"git", "config", "--get", key}, working_directory());
  return found.ok() && found->exit == 0 ? std::string(trim(found->out)) : std::string();
}

}  // namespace

std::string undecided_words(const wire::Undecided& undecided) {
  std::vector<std::string> names(
      undecided.tests.begin(),
      undecided.tests.begin() + static_cast<std::ptrdiff_t>(std::min(kNamedTests, undecided.tests.size())));
  if (undecided.tests.size() > kNamedTests) names.emplace_back("...");
  std::vector<std::string> why;
  if (undecided.not_loaded > 0)
    why.push_back(fmt::format("{} of the base's could not be loaded", undecided.not_loaded));
  if (undecided.snapshots > 0)
    why.push_back(
        fmt::format("{} of the base's compare with a snapshot that it changes", undecided.snapshots));
  return fmt::format("own tests {} of {}, {}{}: needs your decision", undecided.own_passed,
                     undecided.own_total, join(why, ", "),
                     names.empty() ? "" : " (" + join(names, ", ") + ")");
}

std::string decision_words(const wire::Decision& decision) {
  return fmt::format("Decided{}, {}: {} {}", decision.by.empty() ? "" : " by " + decision.by,
                     day_of(decision.at_ms), replace_all(std::string(name(decision.kind)), "_", " "),
                     decision.what);
}

std::string decider() {
  const auto name = git_value("user.name"), mail = git_value("user.email");
  const auto who = sanitize(mail.empty() ? name : name.empty() ? mail : name + " <" + mail + ">");
  return who.substr(0, 200);
}

}  // namespace hydra::cli
