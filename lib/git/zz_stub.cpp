#include "git/repository.hpp"
namespace hydra::git {
Result<MergePreview> merge(const Store&, const model::RaceSpec&, const MergeRequest&) { return Error{Errc::unsupported, "stub", "", ""}; }
Result<std::string> recover_merge(const fs::path&, const model::RepositoryFacts&, const std::string&, const std::string&) { return std::string{}; }
}
