#include "git/store/objects.hpp"

#include "base/strings.hpp"
#include "git/store/object_database.hpp"

namespace hydra::git {
namespace {

ObjectDatabase objects_of(const model::RepositoryFacts& facts) {
  return ObjectDatabase(fs::path(facts.common_dir) / "objects");
}

}  // namespace

Result<std::vector<TreeFile>> tree_files(const Command& git, const model::RepositoryFacts& facts,
                                         const std::string& commit) {
  if (auto files = objects_of(facts).files(commit)) return std::move(*files);
  return ask_for_files(git, commit);
}

Result<std::vector<TreeFile>> ask_for_files(const Command& git, const std::string& commit) {
  HYDRA_TRY(const auto text, git.output({"ls-tree", "-r", "-z", "--full-tree", commit}));
  std::vector<TreeFile> files;
  for (const auto record : records(text)) {
    const auto tab = record.find('\t');
    const auto fields = split(record.substr(0, tab), ' ');
    if (tab == std::string_view::npos || fields.size() != 3) continue;
    files.push_back({std::string(record.substr(tab + 1)), std::string(fields[0]), std::string(fields[2])});
  }
  return files;
}

Result<std::vector<std::optional<std::string>>> ask_for_blobs(const Command& git,
                                                              const std::vector<std::string>& names,
                                                              std::size_t max_bytes, std::size_t max_total) {
  std::vector<std::optional<std::string>> found(names.size());
  std::string asked, wanted_names;
  for (const auto& name : names) asked += name + "\n";
  if (names.empty()) return found;
  HYDRA_TRY(const auto sizes, git.output({"cat-file", "--batch-check=%(objecttype) %(objectsize)"}, asked));
  std::vector<std::size_t> wanted;
  std::size_t total = 0, row = 0;
  for (const auto line : lines(sizes)) {
    if (row >= names.size()) break;
    const auto at = row++;
    const auto size = line.starts_with("blob ") ? parse_int(line.substr(5)) : std::nullopt;
    if (!size || static_cast<std::size_t>(*size) > std::min(max_bytes, max_total - total)) continue;
    total += static_cast<std::size_t>(*size);
    wanted.push_back(at);
    wanted_names += names[at] + "\n";
  }
  if (wanted.empty()) return found;
  HYDRA_TRY(const auto text, git.output({"cat-file", "--batch=%(objectsize)"}, wanted_names));
  std::string_view rest = text;
  for (const auto index : wanted) {
    const auto end = rest.find('\n');
    const auto said = end == std::string_view::npos ? std::nullopt : parse_int(rest.substr(0, end));
    const auto size = static_cast<std::size_t>(said.value_or(0));
    if (!said || rest.size() - end - 1 < size + 1)
      return Error{Errc::git, "git printed objects that cannot be read", {}, {}};
    found[index] = rest.substr(end + 1, size);
    rest.remove_prefix(end + 1 + size + 1);
  }
  return found;
}

Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts) {
  BaseRules rules;
  HYDRA_TRY(const auto files, tree_files(git, facts, facts.base));
  std::vector<const TreeFile*> rule_files;
  std::vector<std::string> ids;
  for (const auto& file : files) {
    if (file.mode == "160000") rules.gitlinks.push_back({file.path, file.id});
    const auto name = base_name(file.path);
    // git does not follow a rule file that is a link either.
    if ((name != ".gitattributes" && name != ".gitignore") || !file.mode.starts_with("100")) continue;
    rule_files.push_back(&file);
    ids.push_back(file.id);
  }
  constexpr auto kAll = std::numeric_limits<std::int64_t>::max();
  auto blobs = objects_of(facts).blobs(ids, std::numeric_limits<std::size_t>::max(), kAll);
  if (!blobs) {
    HYDRA_TRY(blobs, ask_for_blobs(git, ids));
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string_view path = rule_files[i]->path;
    auto& bytes = (*blobs)[i];
    if (!bytes) return Error{Errc::git, "a rule file of the base cannot be read", std::string(path), {}};
    auto& all = base_name(path) == ".gitattributes" ? rules.attributes : rules.ignores;
    all.emplace_back(directory_of(path), std::move(*bytes));
  }
  return rules;
}

}  // namespace hydra::git
