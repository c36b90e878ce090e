#include "exec/machine.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/bwrap.hpp"
#include "exec/cgroup.hpp"
#include "exec/tool.hpp"

#include <algorithm>
#include <array>
#include <thread>
#include <unistd.h>

namespace hydra::exec {
namespace {

constexpr std::array<const char*, 4> kNamespaces{"user", "pid", "ipc", "net"};

std::string small_file(const char* path) { return std::string(trim(read_file(path, 4096).value_or(""))); }

/// Derives cause and remedy from bwrap's message.
void explain(MachineFacts& facts, const std::string& words) {
  facts.bwrap_problem = "bubblewrap can't make a sandbox: " + sanitize(words.empty() ? "no message" : words);
  if (is_zero("/proc/sys/user/max_user_namespaces") ||
      is_zero("/proc/sys/kernel/unprivileged_userns_clone")) {
    facts.bwrap_problem += " (user namespaces are switched off)";
    facts.bwrap_remedy =
        "sysctl user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1, or ask the administrator "
        "of this "
        "container";
    return;
  }
  if (small_file("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1") {
    facts.bwrap_problem += " (AppArmor restricts user namespaces)";
    facts.bwrap_remedy =
        "give bwrap an AppArmor profile: in /etc/apparmor.d/bwrap: `abi <abi/4.0>, include <tunables/global> "
        "profile "
        "bwrap " +
        facts.bwrap.string() +
        " flags=(unconfined) { userns, }`, then: apparmor_parser -r /etc/apparmor.d/bwrap";
    return;
  }
  facts.bwrap_remedy =
      "in a container allow user namespaces (docker: --security-opt seccomp=unconfined --security-opt "
      "systempaths=unconfined), or set [sandbox] mode = \"auto\" to run without isolation";
}

/// Names what the sandbox lacks. Exit code 0 proves nothing, since bwrap continues without a namespace that
/// it could not make: every namespace must differ from ours, and the root must be read-only.
std::string missing_in(const std::string& report) {
  std::vector<std::string> missing;
  for (const char* kind : kNamespaces) {
    std::error_code failed;
    const auto ours = fs::read_symlink(std::string("/proc/self/ns/") + kind, failed).string();
    const std::string prefix = std::string(kind) + ":[";
    const auto at = report.find(prefix);
    if (failed || at == std::string::npos || report.substr(at, report.find(']', at) + 1 - at) == ours)
      missing.emplace_back(kind);
  }
  if (report.find("read-only") == std::string::npos) missing.emplace_back("read-only root");
  if (report.find("settings-kept") == std::string::npos) missing.emplace_back("protected kernel settings");
  return join(missing, ", ");
}

ToolCall probe_call(const MachineFacts& facts, const std::string& path_variable) {
  const BwrapHost host{facts.bwrap, {}, ::geteuid(), ::getegid()};
  Sandbox sandbox;
  sandbox.network = false;
  ToolCall call;
  call.argv = bwrap_flags(host, sandbox);
  std::string script = "readlink";
  for (const char* kind : kNamespaces) script += std::string(" /proc/self/ns/") + kind;
  script +=
      "; (: > /.hydra-probe) 2>/dev/null && echo writable || echo read-only"
      "; for s in sys/kernel/core_pattern irq bus sysrq-trigger; do [ ! -w /proc/$s ] || exit 0; done"
      "; echo settings-kept";
  for (const char* word : {"--chdir", "/", "--", "/bin/sh", "-c"}) call.argv.emplace_back(word);
  call.argv.push_back(script);
  call.env = {{"PATH", path_variable}};
  call.deadline = std::chrono::seconds(10);
  return call;
}

void probe_bwrap(MachineFacts& facts, const std::string& path_variable) {
  facts.bwrap = find_program("bwrap", path_variable);
  if (facts.bwrap.empty()) {
    facts.bwrap_problem = "bubblewrap is not installed";
    facts.bwrap_remedy = "apt install bubblewrap";
    return;
  }
  ToolCall version;
  version.argv = {facts.bwrap.string(), "--version"};
  version.deadline = std::chrono::seconds(10);
  if (const auto said = run_tool(version); said.ok()) {
    const auto words = split(trim(said->out), ' ');
    facts.bwrap_version = sanitize(words.back());
  }
  const auto inside = run_tool(probe_call(facts, path_variable));
  if (!inside.ok()) return explain(facts, inside.error().message);
  if (!inside->ok()) return explain(facts, std::string(trim(inside->err)));
  const auto missing = missing_in(inside->out);
  facts.bwrap_works = missing.empty();
  if (!missing.empty()) explain(facts, "it started, but without: " + missing);
}

}  // namespace

bool is_zero(const char* path) { return small_file(path) == "0"; }

MachineFacts probe_machine(const std::string& path_variable) {
  MachineFacts facts;
  facts.root = ::geteuid() == 0;
  facts.cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  probe_bwrap(facts, path_variable);
  const auto cgroups = find_cgroups();
  facts.kill_rung = facts.bwrap_works         ? "pid-namespace"
                    : cgroups.empty()         ? "subreaper-sweep"
                    : cgroups[0].kind == "v2" ? "cgroup-v2"
                                              : "cgroup-v1";
  // The shim samples four times a second; in a sandbox of an ordinary user the kernel also counts processes.
  facts.limit_rung = limit_rung(cgroups);
  if (facts.limit_rung.empty()) facts.limit_rung = "sampled";
  return facts;
}

}  // namespace hydra::exec
