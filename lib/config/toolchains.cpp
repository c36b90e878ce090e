// config: merges the files of toolchains/ by their `order`.
#include "config/toolchains.hpp"

#include "config/config.hpp"
#include "config/toolchains_read.hpp"
#include "tables/library.hpp"

#include <algorithm>
#include <iterator>

extern const hydra::tables::Embedded kToolchainTables;

namespace hydra::config {
namespace {

tables::Library& library() {
  static tables::Library all("toolchain", kToolchainTables);
  return all;
}

template <class List>
void append(List& to, List& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Merges signatures of the same name from several files; the entry with the explanation sets the position.
void append(std::vector<Signature>& to, std::vector<Signature>& from) {
  for (auto& one : from) {
    const auto known =
        std::find_if(to.begin(), to.end(), [&](const Signature& s) { return s.name == one.name; });
    if (known == to.end()) {
      to.push_back(std::move(one));
      continue;
    }
    append(known->lines, one.lines);
    append(known->advice, one.advice);
    if (one.meaning.empty()) continue;
    one.lines = std::move(known->lines);
    one.advice = std::move(known->advice);
    to.erase(known);
    to.push_back(std::move(one));
  }
}

void append(Ecosystem& to, Ecosystem& from) {
  append(to.manifests, from.manifests);
  append(to.configuration, from.configuration);
  append(to.dropped, from.dropped);
}

void append(Toolchains& to, Toolchains& from) {
  append(to.ecosystems, from.ecosystems);
  append(to.common, from.common);
  append(to.caches, from.caches);
  append(to.protected_rows, from.protected_rows);
  append(to.runners, from.runners);
  append(to.signatures, from.signatures);
  append(to.managers, from.managers);
  append(to.proposals, from.proposals);
  for (const auto list :
       {&Toolchains::secrets, &Toolchains::test_data, &Toolchains::foreign, &Toolchains::locks,
        &Toolchains::generated, &Toolchains::vendored, &Toolchains::ignored, &Toolchains::found_tests,
        &Toolchains::listed_tests, &Toolchains::test_directories, &Toolchains::usual_directories,
        &Toolchains::wrappers, &Toolchains::programs, &Toolchains::reads, &Toolchains::looks_into,
        &Toolchains::looks_for})
    append(to.*list, from.*list);
  for (const auto list :
       {&Toolchains::testers, &Toolchains::linters, &Toolchains::fixes, &Toolchains::special})
    append(to.*list, from.*list);
}

/// Sorts specific entries before general ones, across files.
void sort(Toolchains& all) {
  // Rows that restore keys or files come before rows that only report.
  const auto rank = [](const ProtectedRow& row) {
    return row.on_change == RestoreAction::keys ? 0 : row.on_change == RestoreAction::base ? 1 : 2;
  };
  std::stable_sort(all.protected_rows.begin(), all.protected_rows.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::stable_sort(all.signatures.begin(), all.signatures.end(),
                   [](const auto& a, const auto& b) { return a.order < b.order; });
  for (auto& signature : all.signatures)
    std::stable_sort(signature.advice.begin(), signature.advice.end(),
                     [](const auto& a, const auto& b) { return !a.tools.empty() && b.tools.empty(); });
}

Toolchains load() {
  std::vector<ToolchainFile> files;
  library().read([&](const tables::Value& file, std::vector<Error>& errors) {
    files.push_back(read_toolchain(file, errors));
  });
  std::stable_sort(files.begin(), files.end(),
                   [](const auto& a, const auto& b) { return a.order < b.order; });
  Toolchains all;
  all.common.name = "common";
  for (auto& file : files) append(all, file.says);
  sort(all);
  return all;
}

}  // namespace

const Toolchains& toolchains() {
  static const Toolchains all = load();
  return all;
}

void toolchains_from(std::function<std::vector<TextFile>()> user) { library().users(std::move(user)); }

std::vector<Error> check_toolchains(const std::vector<TextFile>& files) {
  return tables::mistakes(files, [](const tables::Value& file, std::vector<Error>& errors) {
    (void)read_toolchain(file, errors);
  });
}

}  // namespace hydra::config
