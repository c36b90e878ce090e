#include "race/agents/sign_in_values.hpp"

#include "adapters/sign_in_text.hpp"
#include "base/files.hpp"
#include "race/agents/agent_files.hpp"

#include <algorithm>
#include <set>

namespace hydra::race {

std::vector<std::string> sign_in_values(const model::RaceSpec& spec) {
  constexpr std::size_t kMost = 64, kMaxSignInFile = 256u << 10;
  std::set<fs::path> files;
  for (const auto& [id, descriptor] : spec.config.agents) files.merge(sign_in_files(spec, descriptor));
  std::vector<std::string> values;
  for (const auto& file : files)
    if (const auto text = read_file(file, kMaxSignInFile); text.ok())
      for (auto& value : adapters::secret_values_of(*text))
        if (values.size() < kMost && std::find(values.begin(), values.end(), value) == values.end())
          values.push_back(std::move(value));
  return values;
}

}  // namespace hydra::race
