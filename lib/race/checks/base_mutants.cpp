#include "race/checks/base_mutants.hpp"

#include "base/strings.hpp"
#include "checks/effect.hpp"
#include "mutants/called.hpp"
#include "mutants/mutate.hpp"
#include "mutants/tokens.hpp"

#include <algorithm>
#include <set>

namespace hydra::race {
namespace {

constexpr std::size_t kMostProductFiles = 2000, kMostProductBytes = 1u << 20;

struct ProductFile {
  std::string path, text;
  std::vector<int> lines;  ///< of functions that tests call
  bool named = false;      ///< tests hold its name
};

std::string stem_of(std::string_view path) {
  const auto own = path.substr(path.rfind('/') + 1);
  return std::string(own.substr(0, own.find('.')));
}

struct TestTexts {
  std::set<std::string> calls;
  std::string all;
};

Result<TestTexts> read_tests(const git::Store& store,
                             const std::vector<std::pair<std::string, std::string>>& tests) {
  std::vector<std::string> ids;
  for (const auto& [path, id] : tests) ids.push_back(id);
  HYDRA_TRY(const auto blobs, store.blobs(ids, kMostProductBytes));
  TestTexts found;
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    if (!blobs[i]) continue;
    found.all += *blobs[i] + "\n";
    found.calls.merge(mutants::called_names(tests[i].first, *blobs[i]));
  }
  return found;
}

Result<std::vector<ProductFile>> product_files(const integrity::RaceRules& rules, const git::Store& store,
                                               const std::string& base, const TestTexts& tests) {
  HYDRA_TRY(const auto paths, store.base_paths());
  std::vector<std::string> chosen, names;
  for (const auto& path : paths) {
    if (rules.paths.is_test(path) || checks::is_documentation(path) || !mutants::is_code(path)) continue;
    if (chosen.size() == kMostProductFiles || path.find('\n') != std::string::npos) continue;
    chosen.push_back(path);
    names.push_back(base + ":" + path);
  }
  HYDRA_TRY(const auto blobs, store.blobs(names, kMostProductBytes));
  std::vector<ProductFile> files;
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    const auto& path = chosen[i];
    const auto& text = blobs[i];
    if (!text || text->starts_with("#!")) continue;  // a mutant is a plain file
    ProductFile file{path, *text, {}, tests.all.find(stem_of(path)) != std::string::npos};
    file.lines = mutants::lines_of_functions(path, file.text, tests.calls);
    if (file.named || !file.lines.empty()) files.push_back(std::move(file));
  }
  // Functions of the same name elsewhere are meant only where no file that tests name has them.
  const auto meant = [](const ProductFile& file) { return file.named && !file.lines.empty(); };
  const bool any = std::any_of(files.begin(), files.end(), meant);
  std::erase_if(files, [&](const auto& file) { return any && !meant(file); });
  return files;
}

}  // namespace

Result<std::vector<BaseMutant>> mutants_of_base(const integrity::RaceRules& rules, const git::Store& store,
                                                const std::string& base,
                                                const std::vector<std::pair<std::string, std::string>>& tests,
                                                int most) {
  HYDRA_TRY(const auto texts, read_tests(store, tests));
  HYDRA_TRY(const auto files, product_files(rules, store, base, texts));
  std::vector<BaseMutant> found;
  for (const auto& file : files) {
    mutants::Request request;
    request.lines = file.lines;
    request.most = static_cast<std::size_t>(most);
    request.kinds = mutants::kCode | mutants::kText;
    for (auto& mutant : mutants::mutate(file.path, file.text, request)) {
      auto name = file.path + ":" + std::to_string(mutant.line) + ": " + mutant.description;
      found.push_back({file.path, "100644", std::move(mutant.text), std::move(name)});
    }
  }
  if (found.size() <= static_cast<std::size_t>(most)) return found;
  std::vector<BaseMutant> chosen;
  for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i)
    chosen.push_back(std::move(found[i * found.size() / static_cast<std::size_t>(most)]));
  return chosen;
}

}  // namespace hydra::race
