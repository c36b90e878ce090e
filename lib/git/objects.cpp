#include "git/objects.hpp"

#include "base/strings.hpp"

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

}  // namespace

Result<BaseRules> read_base_rules(const Command& git, const model::RepositoryFacts& facts) {
  BaseRules rules;
  std::vector<RuleBlob> blobs;
  HYDRA_TRY(auto tree, git.output({"ls-tree", "-r", "-z", "--full-tree", facts.base}));
  std::string ids;
  for (const auto record : records(tree)) {
    const auto tab = record.find('\t');
    if (tab == std::string_view::npos) continue;
    const auto path = record.substr(tab + 1);
    const auto fields = split(record.substr(0, tab), ' ');
    if (fields.size() != 3) continue;
    if (fields[0] == "160000") {
      rules.gitlinks.push_back({std::string(path), std::string(fields[2])});
      continue;
    }
    const auto name = path.substr(path.rfind('/') + 1);
    const bool attributes = name == ".gitattributes";
    // A rule file that is a link is not followed by git either.
    if ((!attributes && name != ".gitignore") || fields[0] == "120000") continue;
    blobs.push_back({parent_of(path), std::string(fields[2]), attributes});
    ids += std::string(fields[2]) + "\n";
  }
  if (!blobs.empty()) {
    HYDRA_TRY(auto batch, git.output({"cat-file", "--batch"}, ids));
    HYDRA_CHECK(take_batch(batch, blobs, rules));
  }
  return rules;
}

}  // namespace hydra::git
