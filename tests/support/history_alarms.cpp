// support: what the tamper report says of a repository's own history. Each commit is looked at as if it were
// an agent's result on top of its parent. A tool for people, no test: it tells how often honest work raises
// an alarm.
//
//   history_alarms GIT_DIR [--count N] [--skip N] [--build C] [--test C] [--lint C]
//
// GIT_DIR has no work tree. The newest N commits (200) that have one parent, after the newest --skip ones.
// A line a finding, "commit severity rule path:line reason | excerpt" between tabs, then "commit C" lines.
#include "base/strings.hpp"
#include "config/file_class.hpp"
#include "integrity/report/tamper.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using namespace hydra;
using namespace hydra::integrity;

/// Output of a command line without foreign text in it.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string out;
  char buffer[65536];
  if (!pipe) return out;
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe.get())) > 0;)
    out.append(buffer, got);
  return out;
}

struct Difference {
  std::string path, old_mode, mode, old_id, id;
};

class History {
 public:
  History(const std::string& git_directory, std::filesystem::path scratch)
      : git_("git -c safe.directory='*' --git-dir='" + git_directory + "' "), scratch_(std::move(scratch)) {}

  [[nodiscard]] std::vector<std::string> commits(int count, int skip) const {
    return words(output_of(git_ + "rev-list --no-merges --min-parents=1 --max-count=" +
                           std::to_string(count) + " --skip=" + std::to_string(skip) + " HEAD"),
                 '\n');
  }
  [[nodiscard]] std::vector<std::string> paths(const std::string& commit) const {
    return words(output_of(git_ + "ls-tree -r -z --name-only " + commit), '\0');
  }
  /// Without renames, as the capture has them.
  [[nodiscard]] std::vector<Difference> differences(const std::string& commit) const {
    const auto rows =
        words(output_of(git_ + "diff-tree -r -z --no-renames --raw " + commit + "~1 " + commit), '\0');
    std::vector<Difference> out;
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      const auto parts = split(std::string_view(rows[i]).substr(1), ' ');
      if (parts.size() < 5 || parts[0] == "160000" || parts[1] == "160000") continue;
      out.push_back({rows[i + 1], std::string(parts[0]), std::string(parts[1]), std::string(parts[2]),
                     std::string(parts[3])});
    }
    return out;
  }
  /// Bytes of objects ("id" or "commit:path"); absent: not there.
  [[nodiscard]] std::vector<std::optional<std::string>> objects(const std::vector<std::string>& names) const {
    const auto list = scratch_ / "objects";
    std::ofstream file(list, std::ios::binary);
    for (const auto& name : names) file << name << '\n';
    file.close();
    const auto text = output_of(git_ + "cat-file --batch < '" + list.string() + "' 2>/dev/null");
    std::vector<std::optional<std::string>> out;
    std::size_t at = 0;
    while (out.size() < names.size() && at < text.size()) {
      const auto end = text.find('\n', at);
      const auto head = std::string_view(text).substr(at, end - at);
      at = end + 1;
      const auto size =
          head.ends_with("missing") ? std::nullopt : parse_int(head.substr(head.rfind(' ') + 1));
      if (!size) {
        out.emplace_back();
        continue;
      }
      out.emplace_back(text.substr(at, static_cast<std::size_t>(*size)));
      at += static_cast<std::size_t>(*size) + 1;
    }
    out.resize(names.size());
    return out;
  }

 private:
  static std::vector<std::string> words(std::string_view text, char end) {
    std::vector<std::string> out;
    for (const auto part : split(text, end))
      if (!part.empty()) out.emplace_back(part);
    return out;
  }
  std::string git_;
  std::filesystem::path scratch_;
};

std::vector<integrity::ChangedFile> changed_files(const History& history,
                                                  const std::vector<Difference>& differences) {
  std::vector<std::string> ids;
  for (const auto& each : differences) {
    ids.push_back(each.old_id);
    ids.push_back(each.id);
  }
  auto texts = history.objects(ids);
  std::vector<integrity::ChangedFile> out;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const auto& each = differences[i];
    integrity::ChangedFile file;
    const bool was = each.old_mode != "000000", is = each.mode != "000000";
    file.change.path = each.path;
    file.change.kind = !was ? trees::ChangeKind::added
                       : is ? trees::ChangeKind::modified
                            : trees::ChangeKind::deleted;
    const auto take = [&](std::optional<std::string>& text) -> std::optional<std::string> {
      if (!text || text->size() > integrity::kMostFileBytes) return std::nullopt;
      if (text->find('\0') != std::string::npos && !integrity::is_source(each.path)) return std::nullopt;
      return std::move(text);
    };
    if (was) file.base = take(texts[2 * i]);
    if (is) file.candidate = take(texts[2 * i + 1]);
    out.push_back(std::move(file));
  }
  return out;
}

struct Options {
  int count = 200, skip = 0;
  integrity::CheckCommands commands;
};

/// Prints the findings of one commit, and what it touched.
void look_at(const History& history, const std::string& commit, const Options& options) {
  const trees::BaseTree base(history.paths(commit + "~1"));
  const integrity::ProtectedPaths rules(
      {&base, options.commands, {}, {}, [&](std::string_view path) {
         return history.objects({commit + "~1:" + std::string(path)}).front();
       }});
  const auto files = changed_files(history, history.differences(commit));
  std::vector<trees::Change> changes;
  bool touches = false;
  for (const auto& file : files) {
    changes.push_back(file.change);
    touches = touches || rules.of(file.change.path).has_value() || rules.is_test(file.change.path);
  }
  trees::RebuildContext rebuild;
  rebuild.base = &base;
  auto plan = trees::plan_rebuild(changes, rebuild);
  integrity::TamperInput input;
  input.rules = &rules;
  input.files = files;
  input.left_out = std::move(plan.dropped);
  input.left_out.insert(input.left_out.end(), plan.not_applied.begin(), plan.not_applied.end());
  const auto report = integrity::find_tampering(input);
  const auto shown = commit.substr(0, 10);
  for (const auto& found : report.findings)
    std::cout << shown << '\t' << name(found.severity) << '\t' << found.rule << '\t' << found.path << ':'
              << found.line << '\t' << found.reason << '\t' << found.text << '\n';
  std::cout << shown << "\tcommit\t"
            << (report.findings.empty() ? "none" : name(report.findings.front().severity)) << '\t'
            << (touches ? "judges" : "product") << '\t' << files.size() << " files\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "history_alarms GIT_DIR [--count N] [--skip N] [--build C] [--test C] [--lint C]\n";
    return 2;
  }
  Options options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    const std::string value = argv[i + 1];
    if (key == "--count") options.count = std::atoi(value.c_str());
    if (key == "--skip") options.skip = std::atoi(value.c_str());
    if (key == "--build") options.commands.build = value;
    if (key == "--test") options.commands.test = value;
    if (key == "--lint") options.commands.lint = value;
  }
  std::string scratch = (std::filesystem::temp_directory_path() / "history_alarms.XXXXXX").string();
  if (::mkdtemp(scratch.data()) == nullptr) return 1;
  const History history(argv[1], scratch);
  for (const auto& commit : history.commits(options.count, options.skip)) look_at(history, commit, options);
  std::filesystem::remove_all(scratch);
  return 0;
}
