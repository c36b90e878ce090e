// shim: the few system calls that no program in a sandbox may make. They change what a file holds, or what
// can be done with it, and leave its ctime as it was, by which the seal tells what a command has changed.
#pragma once

namespace shim {

/// For this process and all that come of it. Nothing where the machine has no filters. Needs no_new_privs,
/// which bwrap has set.
void refuse_hidden_changes();

}  // namespace shim
