// cli: `hydra doctor`'s rows about containers and clusters, where the configuration asks for them.
#pragma once

#include "cli/render/views.hpp"
#include "model/config.hpp"

#include <vector>

namespace hydra::cli {

/// Asks the engines themselves: seconds, where one does not answer. A node that takes no jobs is a warning,
/// with its reason; nothing that can run a race is a failure.
std::vector<wire::DoctorCheck> cluster_rows(const model::Config& config);

}  // namespace hydra::cli
