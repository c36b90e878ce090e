#include "adapters/adapters.hpp"
#include "adapters/embedded.hpp"
#include "config/config.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace hydra::adapters {

const std::map<std::string, model::AgentDescriptor>& builtin() {
  static const auto all = [] {
    std::map<std::string, model::AgentDescriptor> map;
    for (std::size_t i = 0; i < kDescriptors_count; ++i) {
      auto descriptor = config::parse_descriptor(kDescriptors[i].name, kDescriptors[i].text);
      if (!descriptor.ok()) {
        // Part of the program itself: a test reads every file, so this is a broken build.
        fmt::print(stderr, "hydra: built-in agent: {}\n", describe(descriptor.error()));
        std::abort();
      }
      map.emplace(descriptor->id, *descriptor);
    }
    return map;
  }();
  return all;
}

std::vector<SeedFile> home_seed(const model::AgentDescriptor& descriptor) {
  std::vector<SeedFile> seeds;
  for (std::string_view text : descriptor.home_seed) {
    SeedFile seed;
    const auto arrow = text.find(" -> ");
    auto source = text.substr(0, arrow);
    if (source.ends_with('?')) {
      seed.optional = true;
      source.remove_suffix(1);
    }
    seed.source = source;
    if (arrow != std::string_view::npos) {
      seed.target = text.substr(arrow + 4);
    } else {
      seed.target = source.substr(source.rfind('/') + 1);  // npos + 1 is 0
    }
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

}  // namespace hydra::adapters
