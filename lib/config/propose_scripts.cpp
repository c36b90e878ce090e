// config: proposals from Ruby's and PHP's files.
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "config/propose.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

/// The gems named in a Gemfile; `more`: further gems come from elsewhere (`gemspec`, `eval_gemfile`).
struct Gems {
  std::vector<std::string> names;
  bool more = false;
};

/// Returns the first text in single or double quotes.
std::string first_quoted(std::string_view line) {
  const auto begin = line.find_first_of("'\"");
  if (begin == std::string_view::npos) return {};
  const auto end = line.find(line[begin], begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(line.substr(begin + 1, end - begin - 1));
}

Gems gems_of(std::string_view gemfile) {
  Gems gems;
  for (const auto raw : lines(gemfile)) {
    const auto line = trim(raw);
    gems.more = gems.more || line.starts_with("gemspec") || line.starts_with("eval_gemfile");
    if (!line.starts_with("gem ") && !line.starts_with("gem(")) continue;
    if (auto name = first_quoted(line); !name.empty()) gems.names.push_back(std::move(name));
  }
  return gems;
}

bool machine_has_gems(const ProjectView& files) {
  auto gems = gems_of(files.text("Gemfile"));
  if (gems.more) {
    const auto gemspec = files.ending_with(".gemspec");
    if (gemspec.empty()) return false;
    for (const auto raw : lines(files.text(gemspec))) {
      const auto at = raw.find("_dependency");
      if (at == std::string_view::npos) continue;
      if (auto name = first_quoted(raw.substr(at)); !name.empty()) gems.names.push_back(std::move(name));
    }
  }
  return files.looked_for_packages() &&
         std::all_of(gems.names.begin(), gems.names.end(),
                     [&](const auto& name) { return files.has_package("gem:" + name); });
}

/// Whether the project needs packages installed by composer.
bool needs_vendor(const ProjectView& files) {
  const auto config = files.first_of({"phpunit.xml", "phpunit.xml.dist"});
  if (files.text(config).find("vendor/autoload") != std::string_view::npos) return true;
  const auto needed = json_strings(files.text("composer.json"), "require");
  return std::any_of(needed.begin(), needed.end(), [](const auto& entry) {
    return entry.first != "php" && !entry.first.starts_with("ext-");
  });
}

std::optional<std::string> first_script(const std::map<std::string, std::string>& scripts,
                                        std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (scripts.contains(name)) return name;
  return std::nullopt;
}

}  // namespace

bool propose_ruby(const ProjectView& files, Proposal& p) {
  const bool specs = files.has(".rspec") || files.has("spec");
  const bool rspec_alone = p.kind == ".rspec";
  const bool own = rspec_alone || (!files.has("vendor/bundle") && machine_has_gems(files));
  const std::string run = own ? "" : "bundle exec ";
  p.test = specs ? Guess{run + "rspec", "spec/ or .rspec"} : Guess{run + "rake test", "Gemfile and no spec/"};
  if (files.has(".rubocop.yml")) p.lint = Guess{run + "rubocop", ".rubocop.yml"};
  if (own) return true;
  p.setup = Guess{"bundle install", "Gemfile"};
  p.share = {{"vendor/bundle", "installed gems"}};
  return true;
}

bool propose_php(const ProjectView& files, Proposal& p) {
  const auto scripts = json_strings(files.text("composer.json"), "scripts");
  const auto script = [&](const std::optional<std::string>& name) -> std::optional<Guess> {
    if (!name) return std::nullopt;
    const bool builtin = *name == "test" || *name == "lint";
    return Guess{(builtin ? "composer " : "composer run ") + *name,
                 "script \"" + *name + "\" of composer.json"};
  };
  const bool configured = !files.first_of({"phpunit.xml", "phpunit.xml.dist", "tests"}).empty();
  p.lint = script(first_script(scripts, {"lint", "phpstan", "stan", "analyse", "cs", "phpcs"}));
  const bool own = configured && !files.has("vendor") && files.looked_for_packages() &&
                   files.has_program("phpunit") && !needs_vendor(files) && !p.lint;
  if (own) {
    p.test = Guess{"phpunit", "phpunit is configured, and the machine has it"};
    return true;
  }
  p.test = script(first_script(scripts, {"test", "tests", "phpunit", "test:unit"}));
  if (!p.test && configured) p.test = Guess{"vendor/bin/phpunit", "phpunit is configured or tests/ exists"};
  p.setup = Guess{"composer install", "composer.json"};
  p.share = {{"vendor", "installed packages"}};
  return true;
}

}  // namespace hydra::config
