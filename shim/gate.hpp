// hydra-shim: the way into a sandbox without a network. Connections to a port of the machine's loopback reach
// the same port of the sandbox's loopback: PID 1 inherits a listener that belongs to the machine's network.
#pragma once

namespace shim {

/// Binds 127.0.0.1:`port` without listening, so that nobody connects before the payload listens; -1 with
/// errno.
int reserve_gate(int port);

/// Returns the port of a descriptor of reserve_gate(); 0: another descriptor.
int gate_port(int fd);

/// In a child of PID 1: waits until the payload listens, then passes connections on until the sandbox ends.
[[noreturn]] void keep_gate(int listener, int port);

}  // namespace shim
