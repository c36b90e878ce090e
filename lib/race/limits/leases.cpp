#include "race/limits/leases.hpp"

#include "base/fd.hpp"
#include "race/job_parts.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <string>
#include <sys/socket.h>

namespace hydra::race {
namespace {

// Returns a port that is free now, held by `holder`; 0: none.
int free_port(UniqueFd& holder) {
  holder = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (!holder || ::bind(holder.get(), generic, size) != 0) return 0;
  if (::getsockname(holder.get(), generic, &size) != 0) return 0;
  return ntohs(address.sin_port);
}

}  // namespace

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

std::vector<int> PortLeases::lease(exec::Env& env) {
  constexpr std::size_t kPorts = 4;
  constexpr int kTries = 100;
  std::vector<int> ports;
  std::vector<UniqueFd> holders;  // held until all ports are found, so that the kernel returns no port twice
  for (int tries = 0; ports.size() < kPorts && tries < kTries; ++tries) {
    UniqueFd holder;
    const int port = free_port(holder);
    holders.push_back(std::move(holder));
    if (port != 0 && leased_.insert(port).second) ports.push_back(port);
  }
  for (std::size_t i = 0; i < ports.size(); ++i)
    detail::set(env, "HYDRA_PORT_" + std::to_string(i), std::to_string(ports[i]));
  return ports;
}

void PortLeases::release(const std::vector<int>& ports) {
  for (const int port : ports) leased_.erase(port);
}

}  // namespace hydra::race
