// config: a hydra.toml for a project, guessed from the files at its top level. Every guess says what it comes
// from.
#include "base/strings.hpp"
#include "config/config.hpp"
#include "config/json_scan.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hydra::config {
namespace {

/// One guess and where it comes from.
struct Guess {
  std::string value, why;
};

struct Proposal {
  std::string kind;  ///< "Node (package.json)"
  std::optional<Guess> build, test, lint, setup;
  std::vector<std::string> share;
  std::string share_why;
  std::vector<std::string> notes;
};

class Files {
 public:
  explicit Files(const ProjectFiles& files) : files_(files) {}
  [[nodiscard]] bool has(std::string_view name) const {
    return std::find(files_.names.begin(), files_.names.end(), name) != files_.names.end() ||
           files_.texts.contains(std::string(name));
  }
  [[nodiscard]] std::string_view text(std::string_view name) const {
    const auto it = files_.texts.find(std::string(name));
    return it == files_.texts.end() ? std::string_view() : std::string_view(it->second);
  }
  [[nodiscard]] std::string first_of(std::initializer_list<std::string_view> names) const {
    for (const auto name : names)
      if (has(name)) return std::string(name);
    return {};
  }
  [[nodiscard]] std::string starting_with(std::string_view prefix) const {
    for (const auto& name : files_.names)
      if (name.starts_with(prefix)) return name;
    return {};
  }

 private:
  const ProjectFiles& files_;
};

struct NodeTool {
  std::string name, lock, install, run;
};

NodeTool node_tool(const Files& files) {
  if (files.has("pnpm-lock.yaml"))
    return {"pnpm", "pnpm-lock.yaml", "pnpm install --frozen-lockfile", "pnpm run"};
  if (files.has("yarn.lock")) return {"yarn", "yarn.lock", "yarn install --frozen-lockfile", "yarn run"};
  if (const auto lock = files.first_of({"bun.lock", "bun.lockb"}); !lock.empty())
    return {"bun", lock, "bun install --frozen-lockfile", "bun run"};
  if (files.has("package-lock.json")) return {"npm", "package-lock.json", "npm ci", "npm run"};
  return {"npm", "", "npm install", "npm run"};
}

std::optional<Proposal> node(const Files& files) {
  if (!files.has("package.json")) return std::nullopt;
  Proposal p;
  p.kind = "package.json";
  const auto tool = node_tool(files);
  const auto scripts = json_strings(files.text("package.json"), "scripts");
  const auto script = [&](const std::string& name) -> std::optional<Guess> {
    const auto it = scripts.find(name);
    // What `npm init` writes fails by design.
    if (it == scripts.end() || it->second.find("no test specified") != std::string::npos) return std::nullopt;
    const std::string command = tool.name == "npm" && name == "test" ? "npm test" : tool.run + " " + name;
    return Guess{command, fmt::format("script \"{}\" of package.json", name)};
  };
  p.build = script("build");
  p.test = script("test");
  p.lint = script("lint");
  if (!p.build && files.has("tsconfig.json"))
    p.build = Guess{"npx tsc -p .", "tsconfig.json and no build script"};
  p.setup = Guess{tool.install, tool.lock.empty() ? "no lock file found" : tool.lock};
  const bool workspaces =
      files.has("pnpm-workspace.yaml") || json_has_key(files.text("package.json"), "workspaces");
  p.share = {workspaces ? "**/node_modules" : "node_modules"};
  p.share_why = "installed dependencies";
  return p;
}

std::optional<Proposal> cargo(const Files& files) {
  if (!files.has("Cargo.toml")) return std::nullopt;
  Proposal p;
  p.kind = "Cargo.toml";
  p.build = Guess{"cargo build --workspace --all-targets", "Cargo.toml"};
  p.test = Guess{"cargo test --workspace", "Cargo.toml"};
  p.lint = Guess{"cargo clippy --workspace --all-targets", "Cargo.toml; needs the clippy component"};
  p.setup =
      Guess{files.has("Cargo.lock") ? "cargo fetch --locked" : "cargo fetch", "so that checks work offline"};
  return p;
}

bool mentions(const Files& files, std::string_view word) {
  for (const auto* name :
       {"pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt"})
    if (files.text(name).find(word) != std::string_view::npos) return true;
  return false;
}

std::optional<Proposal> python(const Files& files) {
  const auto found = files.first_of({"pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"});
  if (found.empty()) return std::nullopt;
  Proposal p;
  p.kind = found;
  const auto venv = files.first_of({".venv", "venv"});
  const std::string python = venv.empty() ? std::string("python -m ") : venv + "/bin/python -m ";
  const bool pytest =
      mentions(files, "pytest") || files.has("pytest.ini") || files.has("conftest.py") || files.has("tests");
  p.test = pytest ? Guess{python + "pytest", "pytest is configured or tests/ exists"}
                  : Guess{python + "unittest discover", "no pytest found"};
  if (files.has("ruff.toml") || files.has(".ruff.toml") || mentions(files, "ruff"))
    p.lint = Guess{python + "ruff check .", "ruff is configured"};
  else if (files.has(".flake8") || mentions(files, "flake8"))
    p.lint = Guess{python + "flake8", "flake8 is configured"};
  if (!venv.empty()) {
    p.share = {venv};
    p.share_why = "the project's virtual environment";
  } else if (files.has("requirements.txt")) {
    p.setup =
        Guess{"python -m pip install -r requirements.txt", "requirements.txt and no virtual environment"};
  } else {
    p.notes.push_back(
        "No virtual environment (.venv) found: make one, or the checks use the system's Python.");
  }
  return p;
}

std::optional<Proposal> go(const Files& files) {
  if (!files.has("go.mod")) return std::nullopt;
  Proposal p;
  p.kind = "go.mod";
  p.build = Guess{"go build ./...", "go.mod"};
  p.test = Guess{"go test ./...", "go.mod"};
  p.lint = files.starting_with(".golangci.").empty()
               ? Guess{"go vet ./...", "go.mod"}
               : Guess{"golangci-lint run", files.starting_with(".golangci.")};
  if (!files.has("vendor")) p.setup = Guess{"go mod download", "no vendor directory"};
  return p;
}

std::optional<Proposal> cmake(const Files& files) {
  if (!files.has("CMakeLists.txt")) return std::nullopt;
  Proposal p;
  p.kind = "CMakeLists.txt";
  p.setup = Guess{"cmake -S . -B build", "CMakeLists.txt"};
  p.build = Guess{"cmake --build build", "CMakeLists.txt"};
  p.test = Guess{"ctest --test-dir build --output-on-failure", "CMakeLists.txt"};
  return p;
}

/// Is there a rule "NAME:" in a Makefile?
bool has_target(std::string_view text, std::string_view name) {
  for (const auto line : lines(text)) {
    if (!line.starts_with(name)) continue;
    const auto rest = trim(line.substr(name.size()));
    if (rest.starts_with(':') && !rest.starts_with(":=") && !rest.starts_with("::=")) return true;
  }
  return false;
}

std::optional<Proposal> make(const Files& files) {
  const auto found = files.first_of({"GNUmakefile", "makefile", "Makefile"});
  if (found.empty()) return std::nullopt;
  Proposal p;
  p.kind = found;
  const auto target = [&](std::initializer_list<std::string_view> names) -> std::optional<Guess> {
    for (const auto name : names)
      if (has_target(files.text(found), name))
        return Guess{fmt::format("make {}", name), fmt::format("target {}", name)};
    return std::nullopt;
  };
  p.build = target({"build", "all"});
  p.test = target({"test", "check"});
  p.lint = target({"lint"});
  return p;
}

std::optional<Proposal> maven(const Files& files) {
  if (!files.has("pom.xml")) return std::nullopt;
  const std::string mvn = files.has("mvnw") ? "./mvnw" : "mvn";
  Proposal p;
  p.kind = "pom.xml";
  p.build = Guess{mvn + " -B -o -q compile", "pom.xml"};
  p.test = Guess{mvn + " -B -o test", "pom.xml"};
  p.setup = Guess{mvn + " -B dependency:go-offline", "so that checks work offline"};
  return p;
}

std::optional<Proposal> ruby(const Files& files) {
  if (!files.has("Gemfile")) return std::nullopt;
  Proposal p;
  p.kind = "Gemfile";
  p.test = files.has(".rspec") || files.has("spec") ? Guess{"bundle exec rspec", "spec/ or .rspec"}
                                                    : Guess{"bundle exec rake test", "Gemfile and no spec/"};
  if (files.has(".rubocop.yml")) p.lint = Guess{"bundle exec rubocop", ".rubocop.yml"};
  p.setup = Guess{"bundle install", "Gemfile"};
  p.share = {"vendor/bundle"};
  p.share_why = "installed gems";
  return p;
}

std::optional<Proposal> php(const Files& files) {
  if (!files.has("composer.json")) return std::nullopt;
  const auto scripts = json_strings(files.text("composer.json"), "scripts");
  const bool own_test = scripts.contains("test");
  Proposal p;
  p.kind = "composer.json";
  p.test = own_test ? Guess{"composer test", "script \"test\" of composer.json"}
                    : Guess{"vendor/bin/phpunit", "composer.json"};
  if (scripts.contains("lint")) p.lint = Guess{"composer lint", "script \"lint\" of composer.json"};
  p.setup = Guess{"composer install", "composer.json"};
  p.share = {"vendor"};
  p.share_why = "installed packages";
  return p;
}

std::optional<Proposal> elixir(const Files& files) {
  if (!files.has("mix.exs")) return std::nullopt;
  Proposal p;
  p.kind = "mix.exs";
  p.build = Guess{"mix compile --warnings-as-errors", "mix.exs"};
  p.test = Guess{"mix test", "mix.exs"};
  p.lint = files.has(".credo.exs") ? Guess{"mix credo", ".credo.exs"}
                                   : Guess{"mix format --check-formatted", "mix.exs"};
  p.setup = Guess{"mix deps.get", "mix.exs"};
  p.share = {"deps"};
  p.share_why = "fetched dependencies";
  return p;
}

std::string setting(std::string_view key, const std::optional<Guess>& guess, std::string_view sample) {
  if (!guess)
    return fmt::format("#{} = {}   # nothing found; the dimension is left out without it\n", key,
                       quoted(sample));
  return fmt::format("{} = {}   # from {}\n", key, quoted(guess->value), sanitize(guess->why));
}

/// Are all shared directories there? "**/node_modules" and "vendor/bundle" count by what stands at the top.
bool all_there(const Files& files, const std::vector<std::string>& share) {
  return std::all_of(share.begin(), share.end(), [&](std::string_view path) {
    if (path.starts_with("**/")) path.remove_prefix(3);
    return files.has(path.substr(0, path.find('/')));
  });
}

std::string render(const Files& files, const Proposal& p, const std::vector<std::string>& others) {
  std::string out =
      p.kind.empty()
          ? std::string("# No build system was recognised: fill in the commands of your project.\n")
          : fmt::format("# Guessed from {}: look it through, then try it with `hydra config check`.\n",
                        p.kind);
  for (const auto& other : others) out += fmt::format("# Also found and not used: {}.\n", other);
  for (const auto& note : p.notes) out += fmt::format("# {}\n", note);
  out += "\n[scoring]\nweights = { build = 30, tests = 30, lint = 15, diff_size = 15, speed = 10 }\n";
  out += setting("build_command", p.build, "make");
  out += setting("test_command", p.test, "make test");
  out += setting("lint_command", p.lint, "make lint");
  out += "timeout_per_check_seconds = 120   # a check that takes longer counts as failed\n\n[workspace]\n";
  if (p.setup)
    out += fmt::format(
        "setup = {}   # from {}\nsetup_network = true   # to install; the checks have no network\n",
        quoted(p.setup->value), sanitize(p.setup->why));
  if (!p.share.empty()) {
    std::string list;
    for (const auto& s : p.share) list += (list.empty() ? "" : ", ") + quoted(s);
    const bool there = all_there(files, p.share);
    out += fmt::format("{}share = [{}]   # {}: {}\n", there ? "" : "#", list, p.share_why,
                       there ? "copied from your checkout" : "not there now, take this in once it is");
  }
  out += "#copy = [\".env\"]   # files that the project needs and git does not hold; never guessed\n";
  return out;
}

}  // namespace

std::string propose(const ProjectFiles& project) {
  const Files files(project);
  std::optional<Proposal> used;
  std::vector<std::string> others;
  for (const auto guess : {node, cargo, python, go, cmake, make, maven, ruby, php, elixir}) {
    auto proposal = guess(files);
    if (!proposal) continue;
    if (used)
      others.push_back(proposal->kind);
    else
      used = std::move(proposal);
  }
  return render(files, used.value_or(Proposal{}), others);
}

}  // namespace hydra::config
