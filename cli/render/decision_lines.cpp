#include "cli/render/decision_lines.hpp"

#include "base/strings.hpp"
#include "cli/captured.hpp"
#include "cli/context.hpp"
#include "cli/json_fields.hpp"
#include "cli/race_ref.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

std::string undecided_words(const nlohmann::json& undecided) {
  if (!undecided.is_object()) return {};
  const auto number = [&](const char* name) { return undecided.value(name, std::int64_t{0}); };
  std::vector<std::string> names;
  for (const auto& name : undecided.value("tests", nlohmann::json::array())) {
    if (!name.is_string()) continue;
    if (names.size() == kNamedTests) {
      names.emplace_back("...");
      break;
    }
    names.push_back(name.get<std::string>());
  }
  std::vector<std::string> why;
  if (number("not_loaded") > 0)
    why.push_back(fmt::format("{} of the base's could not be loaded", number("not_loaded")));
  if (number("snapshots") > 0)
    why.push_back(
        fmt::format("{} of the base's compare with a snapshot that it changes", number("snapshots")));
  return fmt::format("own tests {} of {}, {}{}: needs your decision", number("own_passed"),
                     number("own_total"), join(why, ", "),
                     names.empty() ? "" : " (" + join(names, ", ") + ")");
}

std::string decision_words(const nlohmann::json& decision) {
  const auto by = text(decision, "by");
  return fmt::format("Decided{}, {}: {} {}", by.empty() ? "" : " by " + by,
                     day_of(decision.value("at_ms", std::int64_t{0})),
                     replace_all(text(decision, "kind"), "_", " "), text(decision, "what"));
}

std::string decider() {
  const auto name = git_value("user.name"), mail = git_value("user.email");
  const auto who = sanitize(mail.empty() ? name : name.empty() ? mail : name + " <" + mail + ">");
  return who.substr(0, 200);
}

}  // namespace hydra::cli
