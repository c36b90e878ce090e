#include "config/command_words.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace hydra::config {
namespace {

using Text = std::string_view;
constexpr std::size_t kMostCalls = 200;

template <std::size_t N>
bool one_of(const std::array<Text, N>& list, Text word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_interpreter(Text program) {
  constexpr std::array<Text, 17> kNames{"sh",   "bash",   "dash",    "zsh",  "ksh",    "python",
                                        "node", "nodejs", "ruby",    "perl", "php",    "lua",
                                        "deno", "tsx",    "ts-node", "bats", "Rscript"};
  return one_of(kNames, program) || program.starts_with("python");
}

bool goes_before(Text word) {  // words allowed before the real program
  constexpr std::array<Text, 15> kNames{"env",     "exec",    "time", "nice", "xvfb-run",
                                        "npx",     "command", "sudo", "then", "do",
                                        "timeout", "!",       "if",   "else", "{"};
  return one_of(kNames, word);
}

/// Returns the words of each simple command, without quotes; operators end a command.
std::vector<std::vector<std::string>> simple_commands(Text text) {
  std::vector<std::vector<std::string>> out(1);
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (in_word) out.back().push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < text.size() && out.size() < kMostCalls; ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == '\\' && i + 1 < text.size()) {
      if (text[++i] != '\n') word += text[i], in_word = true;
    } else if (Text(";|&\n()").find(c) != Text::npos) {
      end_word();
      if (!out.back().empty()) out.emplace_back();
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word += c;
      in_word = true;
    }
  }
  end_word();
  return out;
}

bool is_assignment(Text word) {
  const auto equals = word.find('=');
  if (equals == Text::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void read_package_manager(const std::vector<std::string>& words, std::size_t at, CommandCall& call) {
  constexpr std::array<Text, 22> kOwnVerbs{"install", "ci",    "i",      "add",  "exec",       "dlx",
                                           "x",       "audit", "config", "pack", "remove",     "update",
                                           "link",    "init",  "set",    "node", "workspaces", "workspace",
                                           "rebuild", "prune", "cache",  "why"};
  for (auto i = at; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word.starts_with('-')) {
      if (word == "--prefix" || word == "-C" || word == "--filter" || word == "-w" || word == "-F") ++i;
      continue;
    }
    if (word == "run" || word == "run-script") continue;
    if (word == "t" || word == "tst") return call.package_scripts.emplace_back("test"), void();
    if (!one_of(kOwnVerbs, word)) call.package_scripts.push_back(word);
    return;
  }
}

void read_make(const std::vector<std::string>& words, std::size_t at, CommandCall& call) {
  for (auto i = at; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "-C" || word == "-f" || word == "-j" || word == "-l" || word == "-I") {
      if (word != "-j" || (i + 1 < words.size() && parse_int(words[i + 1]))) ++i;
      continue;
    }
    if (!word.starts_with('-') && !is_assignment(word)) call.targets.push_back(word);
  }
  if (call.targets.empty()) call.targets.emplace_back();
}

}  // namespace

std::optional<std::string> path_below(Text directory, Text path) {
  if (path.starts_with('/') || path.starts_with('~') || path.find('$') != Text::npos) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto from : {directory, path})
    for (const auto part : split(from, '/')) {
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.emplace_back(part);
        continue;
      }
      if (parts.empty()) return std::nullopt;
      parts.pop_back();
    }
  return join(parts, "/");
}

std::vector<CommandCall> command_calls(std::string_view command) {
  std::vector<CommandCall> out;
  std::string directory;
  for (const auto& words : simple_commands(command)) {
    std::size_t at = 0;
    while (at < words.size() && (is_assignment(words[at]) || goes_before(words[at]) ||
                                 (at > 0 && words[at].starts_with('-')) || (at > 0 && parse_int(words[at]))))
      ++at;
    if (at >= words.size()) continue;
    CommandCall call;
    call.program = words[at];
    const auto own = base_name(call.program);
    if (own == "cd" && at + 1 < words.size()) {
      directory = path_below(directory, words[at + 1]).value_or("");
      continue;
    }
    if (own == "npm" || own == "yarn" || own == "pnpm" || own == "bun")
      read_package_manager(words, at + 1, call);
    if (own == "make" || own == "gmake") read_make(words, at + 1, call);
    if (call.program.find('/') != std::string::npos)
      call.script = path_below(directory, call.program).value_or("");
    if (is_interpreter(own) || own == "." || own == "source")
      for (auto i = at + 1; i < words.size(); ++i) {
        const auto& word = words[i];
        if (word == "-m" || word == "-c" || word == "-e" || word == "--eval" || word == "--test") break;
        if (word.starts_with('-') || word == "run") continue;
        call.script = path_below(directory, word).value_or("");
        break;
      }
    out.push_back(std::move(call));
  }
  return out;
}

namespace {

nlohmann::json read_json(Text text) { return nlohmann::json::parse(text, nullptr, false, true); }

}  // namespace

std::map<std::string, std::string> json_strings(std::string_view json, std::string_view key) {
  std::map<std::string, std::string> found;
  const auto all = read_json(json);
  if (!all.is_object() || !all.contains(key) || !all.at(key).is_object()) return found;
  for (const auto& [name, value] : all.at(key).items()) {
    auto& text = found[name];
    if (value.is_string()) text = value.get<std::string>();
    for (const auto& one : value.is_array() ? value : nlohmann::json::array())
      if (one.is_string()) text += (text.empty() ? "" : " && ") + one.get<std::string>();
  }
  return found;
}

bool json_has_key(std::string_view json, std::string_view key) { return read_json(json).contains(key); }

std::vector<std::string> package_commands(std::string_view package_json, std::string_view script) {
  std::vector<std::string> out;
  const auto scripts = json_strings(package_json, "scripts");
  for (const auto* prefix : {"pre", "", "post"}) {
    const auto found = scripts.find(prefix + std::string(script));
    if (found != scripts.end() && !found->second.empty()) out.push_back(found->second);
  }
  return out;
}

}  // namespace hydra::config
