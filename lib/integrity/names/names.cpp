#include "integrity/names/names.hpp"

#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace hydra::integrity {
namespace {

namespace fs = std::filesystem;
using Text = std::string_view;
using Found = Names::Found;
constexpr std::size_t kMostImports = 2000;

/// Directories in which names are looked up, with trailing '/'.
constexpr std::array<Text, 10> kRoots{"",       "src/",   "lib/",  "include/", "inc/",
                                      "t/lib/", "tests/", "test/", "spec/",    "blib/lib/"};

/// Directories for third-party sources.
constexpr std::array<std::string_view, 8> kVendored{"vendor",     "vendored", "third_party", "third-party",
                                                    "thirdparty", "3rdparty", "extern",      "external"};

/// Returns "vendor/chai" for "vendor/chai/lib/chai.js", and "third_party/catch.hpp" unchanged; empty: not in
/// such a directory.
std::string_view library_of(std::string_view path) {
  for (std::size_t begin = 0; begin < path.size();) {
    const auto end = path.find('/', begin);
    if (end == std::string_view::npos) return {};
    const auto own = path.substr(begin, end - begin);
    if (std::find(kVendored.begin(), kVendored.end(), own) != kVendored.end())
      return path.substr(0, std::min(path.find('/', end + 1), path.size()));
    begin = end + 1;
  }
  return {};
}

std::string tool_says(const NamesQuestion& question, std::vector<std::string> argv, std::string input = {}) {
  exec::ToolCall call;
  call.argv = std::move(argv);
  call.env = {{"PATH", question.path}, {"LC_ALL", "C"}};
  call.cwd = "/";
  call.input = std::move(input);
  call.deadline = std::chrono::seconds(20);
  const auto answer = exec::run_tool(call);
  return answer.ok() && answer->ok() ? answer->out + "\n" + answer->err : std::string();
}

void add_words(Found& names, Text text) {
  for (const auto line : lines(text))
    for (const auto word : split(line, ' '))
      if (!word.empty()) names.insert(to_lower(word));
}

/// Names in the tests that follow one of `words` ("import ", "use ", "require("), up to a character that no
/// name has.
std::set<std::string> named_after(Text texts, const std::vector<Text>& words, Text name_signs) {
  std::set<std::string> found;
  for (const auto line : lines(texts)) {
    for (const auto word : words) {
      for (auto at = line.find(word); at != Text::npos; at = line.find(word, at + 1)) {
        auto begin = line.find_first_not_of(" \t\"'`<(", at + word.size());
        if (begin == Text::npos || found.size() >= kMostImports) break;
        const auto rest = line.substr(begin);
        const auto end = std::find_if(rest.begin(), rest.end(), [&](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) == 0 && name_signs.find(c) == Text::npos;
        });
        if (end != rest.begin()) found.emplace(rest.begin(), end);
      }
    }
  }
  return found;
}

/// Adds a directory's entries without extension.
void add_entries(Found& names, const fs::path& directory) {
  std::error_code ec;
  for (fs::directory_iterator it(directory, ec), end; !ec && it != end; it.increment(ec)) {
    const auto name = it->path().filename().string();
    names.insert(to_lower(name.substr(0, name.find('.', 1))));
  }
}

std::string texts_of(const NamesQuestion& question, const std::vector<std::string>& paths) {
  std::string out;
  if (question.base_texts && !paths.empty())
    for (const auto& text : question.base_texts(paths)) out += text + "\n";
  return out;
}

/// Concatenated texts of tests, or of all other sources outside of vendored libraries.
std::string texts(const NamesQuestion& question, bool of_tests) {
  constexpr std::size_t kMostFiles = 3000;
  std::vector<std::string> chosen;
  for (const auto& path : question.base->paths())
    if (chosen.size() < kMostFiles && source::is_code(path) && library_of(path).empty() &&
        question.is_test(path) == of_tests)
      chosen.push_back(path);
  return texts_of(question, chosen);
}
std::string test_texts(const NamesQuestion& question) { return texts(question, true); }

/// Text that may configure the resolution of bare names for Node's tools.
std::string search_settings(const NamesQuestion& question) {
  std::vector<std::string> chosen;
  for (const auto& path : question.base->paths()) {
    const auto own = base_name(path);
    if (own == "package.json" || own.starts_with("tsconfig") || own.starts_with("jsconfig") ||
        own.starts_with("jest.config") || own.starts_with("vite"))
      chosen.push_back(path);
  }
  return question.test_command + "\n" + texts_of(question, chosen);
}

// --- Python: modules that a run loads before the first test, and modules that tests import from elsewhere.

// -I excludes the current directory, the user's packages and PYTHON* variables. get_config() loads the
// plug-ins of every pytest run; find_spec() of a top-level name runs no code.
constexpr const char* kAskPython =
    "import sys, unittest.main, doctest, importlib.util\n"
    "try:\n"
    "    import _pytest.config\n"
    "    _pytest.config.get_config()\n"
    "except Exception:\n"
    "    pass\n"
    "loaded = {name.split('.')[0] for name in sys.modules} - {'__main__'}\n"
    "for name in sys.argv[1:]:\n"
    "    try:\n"
    "        if importlib.util.find_spec(name): loaded.add(name)\n"
    "    except Exception:\n"
    "        pass\n"
    "own = sys.stdlib_module_names\n"
    "print(*('standard/' + name if name in own else name for name in loaded))\n";

Found python_modules(const NamesQuestion& question) {
  auto imported = named_after(test_texts(question), {"import ", "from "}, "_");
  Found names;
  // The interpreter of a script like `pytest` is unknown: ask all candidates of the machine.
  for (const std::string& program : std::set<std::string>{question.python, "python3", "/usr/bin/python3"}) {
    if (program.empty()) continue;
    std::vector<std::string> argv{program, "-I", "-c", kAskPython};
    argv.insert(argv.end(), imported.begin(), imported.end());
    add_words(names, tool_says(question, std::move(argv)));
  }
  if (question.checkout.empty()) return names;
  // The project's own environment is listed, never run.
  for (const auto* environment : {".venv", "venv", "env", ".tox/py"}) {
    std::error_code ec;
    for (fs::directory_iterator it(question.checkout / environment / "lib", ec), end; !ec && it != end;
         it.increment(ec))
      add_entries(names, it->path() / "site-packages");
  }
  return names;
}

// Modules of the standard library count at the root only, which every run searches first: "src/queue.py" may
// belong to a package "src".
std::vector<std::string> module_names(Text path) {
  const auto module = python_module(path);
  if (module.name.empty()) return {};
  const std::string name(module.name);
  if (module.place.empty()) return {name, "standard/" + name};
  const auto place = std::string(module.place) + "/";
  if (std::find(kRoots.begin(), kRoots.end(), place) == kRoots.end()) return {};
  return {name};
}

// --- names that are paths below a root: "gtest/gtest.h", "Test/More.pm" ---

std::vector<std::string> paths_below_roots(Text path) {
  std::vector<std::string> names;
  for (const auto root : kRoots)
    if (path.starts_with(root)) names.emplace_back(path.substr(root.size()));
  for (const Text inner : {"/include/", "/lib/"})
    if (const auto at = path.rfind(inner); at != Text::npos)
      names.emplace_back(path.substr(at + inner.size()));
  return names;
}

/// Adds files of a tool's listing, by their paths below the directories that the tool searches.
void add_below(Found& names, Text listing, const std::vector<std::string>& directories) {
  for (const auto line : lines(listing))
    for (const auto file : split(trim(line), ' '))
      for (const auto& directory : directories)
        if (file.starts_with(directory + "/")) names.insert(to_lower(file.substr(directory.size() + 1)));
}

// --- C and C++: system headers that the tests include ---

std::vector<std::string> header(Text path) {
  const auto own = base_name(path);
  const auto dot = own.rfind('.');
  const auto extension = dot == Text::npos ? Text() : own.substr(dot);
  constexpr std::array<Text, 7> kHeaders{"", ".h", ".hpp", ".hh", ".hxx", ".inc", ".tcc"};
  const bool is_header = std::find(kHeaders.begin(), kHeaders.end(), extension) != kHeaders.end();
  if (!is_header) return {};
  auto names = paths_below_roots(path);
  // "gtest/gtest.h" may be beside the test that includes it in quotes.
  for (auto slash = path.find('/'); slash != Text::npos && path.find('/', slash + 1) != Text::npos;
       slash = path.find('/', slash + 1))
    names.emplace_back(path.substr(slash + 1));
  return names;
}

Found system_headers(const NamesQuestion& question) {
  Found names;
  const auto included = named_after(test_texts(question), {"#include ", "# include "}, "_./+-");
  if (included.empty()) return names;
  std::vector<std::string> directories;
  bool listed = false;
  const auto searched = tool_says(question, {"cc", "-x", "c++", "-E", "-v", "-", "-o", "/dev/null"});
  for (const auto line : lines(searched)) {
    if (line.starts_with("#include <...>")) listed = true;
    if (line.starts_with("End of search")) break;
    if (listed && line.starts_with(" /")) directories.emplace_back(trim(line));
  }
  std::string source;
  for (const auto& name : included) {
    std::error_code ec;
    if (std::any_of(directories.begin(), directories.end(),
                    [&](const auto& directory) { return fs::is_regular_file(directory + "/" + name, ec); }))
      source += "#include <" + name + ">\n";
  }
  if (source.empty()) return names;
  // -M lists every file read. A header that needs a macro first makes cc fail; then the named headers count.
  const auto read = tool_says(question, {"cc", "-x", "c++", "-M", "-"}, source);
  if (read.empty())
    for (const auto& name : included) names.insert(to_lower(name));
  add_below(names, read, directories);
  return names;
}

// --- Perl: modules that prove and Test::More load, and modules that the tests use ---

std::vector<std::string> perl_module(Text path) {
  return path.ends_with(".pm") || path.ends_with(".pl") ? paths_below_roots(path)
                                                        : std::vector<std::string>{};
}

Found perl_modules(const NamesQuestion& question) {
  Found names;
  add_words(names, tool_says(question, {"perl", "-MTest::More", "-MApp::Prove", "-e",
                                        "print qq($_\\n) for keys %INC"}));
  const auto searched = tool_says(question, {"perl", "-e", "print qq($_\\n) for @INC"});
  for (auto name : named_after(test_texts(question), {"use ", "require "}, ":_")) {
    for (auto at = name.find("::"); at != std::string::npos; at = name.find("::", at))
      name.replace(at, 2, "/");
    name += ".pm";
    std::error_code ec;
    for (const auto directory : lines(searched))
      if (!directory.empty() && fs::exists(fs::path(directory) / name, ec)) names.insert(to_lower(name));
  }
  return names;
}

// --- Node: its own modules and installed packages that the tests request by name. A file shadows them only
// if the base configures its tools to look for bare names in the project.

std::vector<std::string> node_module(Text path) {
  std::vector<std::string> names;
  for (const Text extension : {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".json"}) {
    if (!path.ends_with(extension)) continue;
    for (auto name : paths_below_roots(path.substr(0, path.size() - extension.size()))) {
      if (name.ends_with("/index")) name.resize(name.size() - 6);
      names.push_back(std::move(name));
    }
  }
  return names;
}

Found node_modules(const NamesQuestion& question) {
  Found names;
  const auto settings = search_settings(question);
  const std::array<Text, 6> looks{"NODE_PATH",   "baseUrl",           "modulePaths",
                                  "modulesPath", "moduleDirectories", "\"paths\""};
  if (std::none_of(looks.begin(), looks.end(),
                   [&](Text word) { return settings.find(word) != std::string::npos; }))
    return names;
  Found there;
  add_words(there, tool_says(question, {"node", "--print", "require('module').builtinModules.join('\\n')"}));
  if (!question.checkout.empty()) add_entries(there, question.checkout / "node_modules");
  for (const auto& name :
       named_after(test_texts(question), {"require(", "from ", "import(", "import "}, "_@/-."))
    if (there.contains(to_lower(name.substr(0, name.find('/'))))) names.insert(to_lower(name));
  return names;
}

struct Way {
  Text what;                                      ///< name of what such a file shadows
  std::vector<std::string> (*names)(Text path);   ///< names under which a file at this path may be found
  Found (*found)(const NamesQuestion& question);  ///< names found elsewhere; asks the tool
};
constexpr std::array<Way, 4> kWays{{{"a module that tests load", module_names, python_modules},
                                    {"a header of the system", header, system_headers},
                                    {"an installed module of Perl", perl_module, perl_modules},
                                    {"an installed package", node_module, node_modules}}};

}  // namespace

PythonModule python_module(std::string_view path) {
  const auto own = base_name(path), above = directory_of(path);
  const bool extension = own.ends_with(".so") || own.ends_with(".pyd");
  if (!extension && !own.ends_with(".py") && !own.ends_with(".pyc")) return {};
  const auto stem = own.substr(0, own.find('.'));
  if (stem == "__init__") return {base_name(above), directory_of(above), true};
  return {stem, above, extension};
}

std::string_view Names::taken_by(std::string_view path) {
  for (const auto& way : kWays) {
    const auto names = way.names(path);
    if (names.empty()) continue;
    const std::lock_guard lock(mutex_);
    auto at = known_.find(way.what);
    if (at == known_.end()) at = known_.emplace(way.what, way.found(question_)).first;
    if (std::any_of(names.begin(), names.end(),
                    [&](const auto& name) { return at->second.contains(to_lower(name)); }))
      return way.what;
  }
  return {};
}

bool Names::is_library_of_tests(std::string_view path) {
  const auto library = library_of(path);
  const auto& base = *question_.base;
  if (library.empty() || !question_.base_texts || !(base.tracks(library) || base.tracks_below(library)))
    return false;
  const std::lock_guard lock(mutex_);
  if (const auto found = libraries_.find(library); found != libraries_.end()) return found->second;
  if (!tests_) tests_ = texts(question_, true), others_ = texts(question_, false);
  // "catch.hpp" is included as a file, "chai" is imported by its directory's name.
  auto name = base_name(library);
  if (name.ends_with(".py") || name.ends_with(".js")) name = name.substr(0, name.size() - 3);
  return libraries_[std::string(library)] =
             tests_->find(name) != std::string::npos && others_->find(name) == std::string::npos;
}

}  // namespace hydra::integrity
