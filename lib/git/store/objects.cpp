#include "git/store/objects.hpp"

#include "base/strings.hpp"
#include "git/store/object_database.hpp"

namespace hydra::git {
namespace {

std::string parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string{} : std::string(path.substr(0, slash));
}

struct RuleBlob {
  std::string directory, id;
  bool attributes = false;
};

/// "<id> <type> <size>\n<bytes>\n" for every blob that was asked for, in order.
Result<void> take_batch(std::string_view text, const std::vector<RuleBlob>& blobs, BaseRules& rules) {
  for (const auto& blob : blobs) {
    const auto end = text.find('\n');
    const auto header = text.substr(0, end);
    const auto size = parse_int(header.substr(header.rfind(' ') + 1));
    if (end == std::string_view::npos || !size || text.size() < end + 2 + static_cast<std::size_t>(*size))
      return Error{
          Errc::git, "a rule file of the base cannot be read: " + std::string(header), blob.directory, {}};
    auto& files = blob.attributes ? rules.attributes : rules.ignores;
    files.emplace_back(blob.directory, std::string(text.substr(end + 1, static_cast<std::size_t>(*size))));
    text.remove_prefix(end + 2 + static_cast<std::size_t>(*size));
  }
  return {};
}

/// The same, read in the process. False where git has to be asked.
bool read_blobs(const ObjectDatabase& objects, const std::vector<RuleBlob>& blobs, BaseRules& rules) {
  BaseRules read = rules;
  for (const auto& blob : blobs) {
    auto bytes = objects.blob(blob.id);
    if (!bytes) return false;
    (blob.attributes ? read.attributes : read.ignores).emplace_back(blob.directory, std::move(*bytes));
  }
  rules = std::move(read);
  return true;
}

ObjectDatabase objects_of(const model::RepositoryFacts& facts) {
  return ObjectDatabase(fs::path(facts.common_dir) / "objects");
}

}  // namespace

Result<std::vector<TreeFile>> tree_files(const Command& git, const model::RepositoryFacts& facts,
                                         const std::string& commit) {
  if (auto files = objects_of(facts).files(commit)) return std::move(*files);
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

Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts) {
  BaseRules rules;
  std::vector<RuleBlob> blobs;
  HYDRA_TRY(const auto files, tree_files(git, facts, facts.base));
  std::string ids;
  for (const auto& file : files) {
    if (file.mode == "160000") {
      rules.gitlinks.push_back({file.path, file.id});
      continue;
    }
    const auto name = std::string_view(file.path).substr(file.path.rfind('/') + 1);
    const bool attributes = name == ".gitattributes";
    // A rule file that is a link is not followed by git either.
    if ((!attributes && name != ".gitignore") || file.mode == "120000") continue;
    blobs.push_back({parent_of(file.path), file.id, attributes});
    ids += file.id + "\n";
  }
  if (!blobs.empty() && !read_blobs(objects_of(facts), blobs, rules)) {
    HYDRA_TRY(auto batch, git.output({"cat-file", "--batch"}, ids));
    HYDRA_CHECK(take_batch(batch, blobs, rules));
  }
  return rules;
}

}  // namespace hydra::git
