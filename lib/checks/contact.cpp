#include "checks/contact.hpp"

#include "base/strings.hpp"
#include "checks/base_words.hpp"
#include "parsers/parsers.hpp"

#include <algorithm>
#include <unordered_map>

namespace hydra::checks {
namespace {

using Text = std::string_view;

/// Both texts are on one line, in this order; `second` may be empty.
struct Sign {
  Text first, second;
  bool arguments = false;  ///< the function exists, with other parameters
};

constexpr Sign kSigns[] = {
    // Python
    {"ImportError: cannot import name", ""},
    {"ModuleNotFoundError: No module named", ""},
    {"AttributeError: module '", "has no attribute"},
    {"AttributeError: type object '", "has no attribute"},
    {"AttributeError: '", "' object has no attribute"},
    {"NameError: name '", "is not defined"},
    {"TypeError: ", "got an unexpected keyword argument", true},
    {"TypeError: ", "missing 1 required", true},
    {"TypeError: ", "required positional argument", true},
    {"TypeError: ", "positional arguments but", true},
    {"TypeError: ", "positional argument but", true},
    {"fixture '", "' not found"},
    // JavaScript
    {"is not a function", ""},
    {"is not a constructor", ""},
    {"does not provide an export named", ""},
    {"Cannot find module", ""},
    {"ERR_MODULE_NOT_FOUND", ""},
    {"ReferenceError: ", "is not defined"},
    // Ruby, PHP, Elixir, Lua, JVM
    {"NoMethodError", "undefined method"},
    {"NameError", "uninitialized constant"},
    {"ArgumentError", "wrong number of arguments", true},
    {"Call to undefined", ""},
    {"ArgumentCountError", "", true},
    {"UndefinedFunctionError", ""},
    {"attempt to call a nil value", ""},
    {"NoSuchMethodError", ""},
    {"NoClassDefFoundError", ""},
};

/// Returns the first sign of a missing interface; null: none.
const Sign* sign_in(Text line) {
  // A None or undefined value is the code's behaviour, not its interface.
  if (line.find("'NoneType' object") != Text::npos) return nullptr;
  const auto* found = std::find_if(std::begin(kSigns), std::end(kSigns), [&](const Sign& sign) {
    const auto at = line.find(sign.first);
    return at != Text::npos && line.find(sign.second, at + sign.first.size()) != Text::npos;
  });
  return found == std::end(kSigns) ? nullptr : found;
}

/// The part of a test's name that heads its section of a log.
Text leaf(Text name) {
  const auto colons = name.rfind("::");
  if (colons != Text::npos) name = name.substr(colons + 2);
  // "test_a (tests.test_x.TestX.test_a)"
  const auto bracket = name.find(" (");
  if (bracket != Text::npos) name = name.substr(0, bracket);
  for (const Text between : {" > ", " › "})
    if (const auto at = name.rfind(between); at != Text::npos) name = name.substr(at + between.size());
  return trim(name);
}

bool word_at(Text line, std::size_t at, std::size_t size) {
  // "test/all.test.js" does not name "all"; "TestX.test_a" names "test_a".
  const auto in_path = [](char c) { return c == '/' || c == '-'; };
  const auto end = at + size;
  const bool begins = at == 0 || (!word_character(line[at - 1]) && !in_path(line[at - 1]));
  return begins &&
         (end >= line.size() || (!word_character(line[end]) && !in_path(line[end]) && line[end] != '.'));
}

/// Index of the longest failed test that a line names; npos: none.
std::size_t leaf_in(Text line, const std::vector<Text>& leaves) {
  std::size_t best = Text::npos;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto at = leaves[i].empty() ? Text::npos : line.find(leaves[i]);
    if (at == Text::npos || !word_at(line, at, leaves[i].size())) continue;
    if (best == Text::npos || leaves[i].size() > leaves[best].size()) best = i;
  }
  return best;
}

/// Returns whether a line names a place in code: a stack frame, or pytest's line of the failure.
bool is_frame(Text line) {
  const auto text = trim(line);
  if (text.starts_with("File \"") || text.starts_with("at ")) return true;
  if (text.ends_with(')') && (text.find("(file://") != Text::npos || text.find("(/") != Text::npos))
    return true;
  const auto colon = text.find(".py:");
  // "calc.py:3: KeyError" ends a traceback; "calc.py:3: in clamp" begins a short one
  return colon != Text::npos && text.find(' ') > colon &&
         (text.ends_with("Error") || text.find(": in ") != Text::npos);
}

bool in_tests(Text frame, const std::vector<std::string>& files) {
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return frame.find(file) != Text::npos; });
}

/// The log's lines about a failing test, from the line that names it.
struct Reading {
  const Sign* sign = nullptr;
  Text before, after;  ///< frames nearest to the sign
};

constexpr std::size_t kContactTests = 1000;
constexpr std::size_t kContactLines = 60;  // lines that follow a name

}  // namespace

MissingInterface without_contact(Text log, const model::TestReport& report,
                                 const std::vector<std::string>& files) {
  std::vector<Text> failed;
  std::vector<Text> leaves;
  for (const auto& test : report.tests) {
    const bool red = test.status == model::TestStatus::failed || test.status == model::TestStatus::error;
    if (!red || failed.size() == kContactTests) continue;
    failed.push_back(test.name);
    leaves.push_back(leaf(test.name));
  }
  if (failed.empty()) return {};
  const auto plain = parsers::plain_text(log);
  std::vector<Reading> readings(failed.size());
  std::size_t now = Text::npos, left = 0;
  Text frame;
  for (const auto line : lines(plain)) {
    if (const auto at = leaf_in(line, leaves); at != Text::npos && !is_frame(line)) {
      if (at != now) frame = {};
      now = at;
      left = kContactLines;
    }
    if (now == Text::npos || left == 0) continue;
    --left;
    auto& reading = readings[now];
    // Python: the earlier exception was caught, so the test did not fail by it.
    if (line.find("During handling of the above exception") != Text::npos) {
      reading = {};
      frame = {};
    }
    if (is_frame(line)) {
      frame = line;
      if (reading.sign && reading.after.empty()) reading.after = line;
    }
    if (const auto* sign = reading.sign ? nullptr : sign_in(line)) {
      reading.sign = sign;
      reading.before = frame;
    }
  }
  MissingInterface out;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    const auto& reading = readings[i];
    if (!reading.sign) continue;
    // Python prints frames before the error, pytest and JavaScript after it.
    const auto& nearest = reading.before.empty() ? reading.after : reading.before;
    if (!nearest.empty() && !in_tests(nearest, files)) continue;
    out.tests.emplace_back(failed[i]);
    if (reading.sign->arguments) out.by_arguments.emplace_back(failed[i]);
  }
  return out;
}

}  // namespace hydra::checks
