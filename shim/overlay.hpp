// hydra-shim: overlay file systems of one attempt, mounted in a mount namespace of its own before the sandbox
// is made. Nobody has to unmount them: they end with the last process of the attempt, however it ends.
#pragma once

#include "spec.hpp"

#include <string>

namespace shim {

/// Called in the child, before exec: enters the namespaces and mounts. Empty, or a sentence that says what
/// failed and where. Leaves a lock on each upper directory open, without close-on-exec, for whoever comes
/// next.
std::string mount_overlays(const Spec& spec);

}  // namespace shim
