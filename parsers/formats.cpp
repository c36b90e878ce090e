#include "parsers/formats.hpp"

#include "base/read_files.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::parsers {
namespace {

std::function<std::vector<FormatFile>()>& user_files() {
  static std::function<std::vector<FormatFile>()> source;
  return source;
}

void read_all(const std::vector<FormatFile>& files, FormatPart part, Formats& out,
              std::vector<Error>& errors) {
  for (const auto& file : files) {
    FormatTree tree;
    if (append_format(file.name, file.text, tree, errors))
      read_format({tree.nodes.data(), tree.texts}, part, out, errors);
  }
}

Formats load(FormatPart part) {
  Formats out;
  std::vector<Error> ignored;
  static const auto users = user_files() ? user_files()() : std::vector<FormatFile>();
  read_all(users, part, out, ignored);
  std::vector<Error> errors;
  const std::string_view texts(kFormatTexts, kFormatTexts_size);
  for (std::size_t at = 0; at < kFormatNodes_count; at += 1 + kFormatNodes[at].inside) {
    const FormatValue file(kFormatNodes + at, texts);
    const bool replaced =
        std::any_of(users.begin(), users.end(), [&](const auto& user) { return user.name == file.key(); });
    if (!replaced) read_format(file, part, out, errors);
  }
  // Part of the program itself: a test reads every file, so this is a broken build.
  for (const auto& error : errors)
    std::fprintf(stderr, "hydra: built-in format: %s\n", describe(error).c_str());
  if (!errors.empty()) std::abort();
  std::stable_sort(out.summaries.begin(), out.summaries.end(),
                   [](const auto& a, const auto& b) { return a.late < b.late; });
  // A tool's own words come before those of no tool.
  for (auto& section : out.lint)
    std::stable_sort(section.begin(), section.end(), [](const auto& a, const auto& b) {
      return std::pair(a.late, a.tool.empty()) < std::pair(b.late, b.tool.empty());
    });
  return out;
}

}  // namespace

std::vector<FormatFile> formats_in(const std::filesystem::path& directory, std::vector<Error>* errors) {
  constexpr std::size_t kMostFiles = 500, kFormatBytes = std::size_t{1} << 20;
  std::vector<FormatFile> out;
  for (auto& file : read_files(directory, ".toml", kMostFiles, kFormatBytes))
    if (file.text.ok())
      out.push_back({std::move(file.name), std::move(*file.text)});
    else if (errors != nullptr)
      errors->push_back(file.text.error());
  return out;
}

void formats_from(std::function<std::vector<FormatFile>()> user) { user_files() = std::move(user); }

std::vector<Error> check_formats(const std::vector<FormatFile>& files) {
  std::vector<Error> errors;
  Formats out;
  read_all(files, FormatPart::all, out, errors);
  return errors;
}

const Formats& test_data() {
  static const Formats all = load(FormatPart::tests);
  return all;
}

const Formats& lint_data() {
  static const Formats all = load(FormatPart::lint);
  return all;
}

const std::vector<std::string>& words(std::string_view list) {
  static const Formats all = load(FormatPart::words);
  static const std::vector<std::string> none;
  const auto it = all.words.find(list);
  return it == all.words.end() ? none : it->second;
}

WordSet word_set(std::string_view list) {
  const auto& all = words(list);
  return {all.begin(), all.end()};
}

}  // namespace hydra::parsers
