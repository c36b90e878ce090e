// config: proposals from the files of PHP, Deno and CMake.
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "config/propose.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

/// Whether the project needs packages installed by composer.
bool needs_vendor(const ProjectView& files) {
  const auto config = files.first_of({"phpunit.xml", "phpunit.xml.dist"});
  if (files.text(config).find("vendor/autoload") != std::string_view::npos) return true;
  const auto needed = json_strings(files.text("composer.json"), "require");
  return std::any_of(needed.begin(), needed.end(), [](const auto& entry) {
    return entry.first != "php" && !entry.first.starts_with("ext-");
  });
}

constexpr const char* kLogJunit = " --log-junit=\"${HYDRA_REPORTS:-/tmp}/junit.xml\"";

}  // namespace

bool propose_php(const ProjectView& files, Proposal& p) {
  const auto scripts = json_strings(files.text("composer.json"), "scripts");
  const auto config = files.first_of({"phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml", "tests"});
  take_scripts(scripts, {"composer.json", "composer run", "vendor/bin/"}, p);
  const bool own = !config.empty() && !files.has("vendor") && files.looked_for_packages() &&
                   files.has_program("phpunit") && !needs_vendor(files) && !p.lint;
  if (own) {
    p.test = Guess{std::string("phpunit") + kLogJunit, "phpunit is configured, and the machine has it"};
    return true;
  }
  const bool pest = files.text("composer.json").find("\"pestphp/pest\"") != std::string_view::npos;
  if (!p.test && !config.empty())
    p.test = Guess{std::string(pest ? "vendor/bin/pest" : "vendor/bin/phpunit") + kLogJunit, config};
  p.setup = Guess{"composer install", "composer.json"};
  p.share = {{"vendor", "installed packages"}};
  return true;
}

bool propose_deno(const ProjectView& files, Proposal& p) {
  take_scripts(json_strings(files.text(p.kind), "tasks"), {p.kind, "deno task", ""}, p);
  if (p.test->value.starts_with("deno task "))
    p.test->value += " --junit-path=\"${HYDRA_REPORTS:-/tmp}/deno.xml\"";
  return true;
}

// Tests that an option has to switch on are built: option(X_BUILD_TESTS "…" OFF).
bool propose_cmake(const ProjectView& files, Proposal& p) {
  constexpr std::string_view kEndings[] = {"BUILD_TESTS", "BUILD_TESTING", "BUILD_TEST", "ENABLE_TESTS",
                                           "ENABLE_TESTING"};
  for (const auto raw : lines(files.text("CMakeLists.txt"))) {
    const auto line = trim(raw);
    if (!line.starts_with("option(") || to_lower(line).find(" off") == std::string::npos) continue;
    const auto name = line.substr(7, line.find(' ') - 7);
    const bool plain = name.ends_with("_TESTS") && std::count(name.begin(), name.end(), '_') == 1;
    const bool tests = std::any_of(std::begin(kEndings), std::end(kEndings),
                                   [&](std::string_view ending) { return name.ends_with(ending); });
    if (!plain && !tests) continue;
    p.setup->value += " -D" + std::string(name) + "=ON";
    p.setup->why += ", whose tests are off by default";
    break;
  }
  return true;
}

}  // namespace hydra::config
