// trees, inside only: what is in one file, from one descriptor to another.
#pragma once

#include <sys/stat.h>

namespace hydra::trees {

/// `facts` are those of `in`. False: errno says why.
bool copy_bytes(int in, int out, const struct stat& facts);
/// Only user.*: the others belong to the machine (access lists, capabilities, labels), or to an overlay.
void copy_attributes(int in, int out);

}  // namespace hydra::trees
