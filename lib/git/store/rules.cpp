#include "git/store/rules.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <algorithm>

namespace hydra::git {
namespace {

// No attribute that affects content may come from the agent's tree.
constexpr std::string_view kUnspecified =
    "* !text !crlf !eol !filter !ident !working-tree-encoding !diff !merge !export-subst\n";

void sort_by_depth(std::vector<RuleFile>& files) {
  std::stable_sort(files.begin(), files.end(), [](const RuleFile& a, const RuleFile& b) {
    const auto depth = [](const std::string& dir) {
      return dir.empty() ? 0 : std::count(dir.begin(), dir.end(), '/') + 1;
    };
    return depth(a.first) < depth(b.first);
  });
}

/// A directory's name as a literal part of a pattern.
std::string literal(std::string_view directory) {
  std::string text;
  for (const char c : directory) {
    if (std::string_view("\\*?[#! ").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

/// Converts `pattern` of a rule file in `directory` to a pattern at the root.
std::string rebase(std::string_view pattern, std::string_view directory) {
  if (directory.empty()) return std::string(pattern);
  const auto slash = pattern.find('/');
  const bool inner = slash != std::string_view::npos && slash + 1 < pattern.size();
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  return "/" + literal(directory) + (inner ? "/" : "/**/") + std::string(pattern);
}

/// Quotes names with blanks or quotes as git's attribute file requires.
std::string quote_pattern(const std::string& pattern) {
  if (pattern.find_first_of(" \t\"") == std::string::npos) return pattern;
  std::string text = "\"";
  for (const char c : pattern) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

/// Splits an attribute line into its pattern (unquoted) and the rest.
std::pair<std::string, std::string> split_attribute(std::string_view line) {
  if (!line.starts_with('"')) {
    const auto end = line.find_first_of(" \t");
    if (end == std::string_view::npos) return {std::string(line), {}};
    return {std::string(line.substr(0, end)), std::string(line.substr(end))};
  }
  std::string pattern;
  std::size_t i = 1;
  for (; i < line.size() && line[i] != '"'; ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) ++i;
    pattern += line[i];
  }
  return {pattern, i < line.size() ? std::string(line.substr(i + 1)) : std::string{}};
}

}  // namespace

std::string flatten_attributes(std::vector<RuleFile> files) {
  sort_by_depth(files);
  // Macros of the base's root file stay definitions: info/attributes allows them too.
  std::string text(kUnspecified);
  for (const auto& [directory, content] : files) {
    for (auto line : lines(content)) {
      line = trim(line);
      if (line.empty() || line.front() == '#') continue;
      if (line.starts_with("[attr]")) {
        if (directory.empty()) text += std::string(line) + "\n";
        continue;
      }
      const auto [pattern, rest] = split_attribute(line);
      if (pattern.starts_with('!')) continue;
      text += quote_pattern(rebase(pattern, directory)) + rest + "\n";
    }
  }
  return text;
}

std::string flatten_ignores(std::string_view first, std::vector<RuleFile> files) {
  sort_by_depth(files);
  std::string text(first);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  for (const auto& [directory, content] : files) {
    std::string_view rest = content;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    for (auto line : lines(rest)) {
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      const bool negated = line.starts_with('!');
      if (negated) line.remove_prefix(1);
      if (line.empty()) continue;
      text += (negated ? "!" : "") + rebase(line, directory) + "\n";
    }
  }
  return text;
}

bool holds_conversion(const std::filesystem::path& store, const model::RepositoryFacts& facts) {
  const auto attributes = read_file(store / "info/attributes", 1 << 16);
  if (!attributes.ok() || *attributes != flatten_attributes({})) return true;
  // Attributes name filters and their settings, so only these two settings remain.
  return std::any_of(facts.conversion.begin(), facts.conversion.end(), [](const auto& setting) {
    const auto& [key, value] = setting;
    return (key == "core.autocrlf" && value != "false") || (key == "core.symlinks" && value != "true");
  });
}

}  // namespace hydra::git
