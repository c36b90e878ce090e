// trees, inside only: copies a file's content from one descriptor to another.
#pragma once

#include <sys/stat.h>

namespace hydra::trees {

/// `facts`: stat of `in`. False: errno has the cause.
bool copy_bytes(int in, int out, const struct stat& facts);
/// Copies only user.*: other attributes belong to the machine (access lists, capabilities, labels) or to an
/// overlay.
void copy_attributes(int in, int out);

}  // namespace hydra::trees
