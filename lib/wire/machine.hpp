// wire: the daemon, and the agents and capabilities of its machine (docs/api.md). See results.hpp for the
// names of members.
#pragma once

#include "model/words.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hydra::wire {

/// An error instead of an answer: see Error of base/result.hpp.
struct Failure {
  struct What {
    std::string code, message, where, hint;
  };
  What error;
};

enum class SignedIn { unknown, yes, no };
/// A kind of agent.
struct AgentInfo {
  std::string id, display, path, version, sign_in_detail, problem, hint;
  SignedIn signed_in{};
  bool builtin = false, installed = false;
  bool slow = false;  ///< the program did not answer in time, and may well work
};
struct AgentList {
  std::vector<AgentInfo> agents;
};

enum class DoctorStatus { ok, warn, fail };
struct DoctorCheck {
  std::string name;
  DoctorStatus status{};
  std::string detail;
  std::string remedy{};
};
struct Doctor {
  bool ok = false;
  std::vector<DoctorCheck> checks;
};

struct Written {
  std::uint64_t transactions = 0, synced = 0, bytes = 0;
};
struct Port {
  int port = 0;
};
struct Health {
  std::string version, state_dir;
  int api = 1, pid = 0, races_running = 0;
  std::int64_t started_ms = 0, server_ms = 0;
  std::map<std::string, std::uint64_t> started_programs;
  Written written;
  std::optional<Port> ui;
};

/// GET /v1/ui: the scoreboard's listener.
struct Ui {
  std::optional<int> port;
  bool page = false;                  ///< whether this hydrad was built with the scoreboard
  std::vector<std::string> sessions;  ///< one for each signed-in browser
  std::uint64_t codes = 0;            ///< codes that were not used yet
};
/// POST /v1/ui
struct OpenedUi {
  std::string url;  ///< has a code, good once, in its fragment
  int port = 0;
  std::int64_t expires_ms = 0;  ///< of the code; Unix time
};
/// DELETE /v1/ui
struct ClosedUi {
  bool closed = false;  ///< false: the listener was already closed
};
/// POST /ui/session
struct Session {
  std::string tab;
  std::int64_t expires_ms = 0;  ///< Unix time
};

}  // namespace hydra::wire

namespace hydra::model {
template <>
inline constexpr auto kWords<wire::DoctorStatus> = words<wire::DoctorStatus>("ok", "warn", "fail");
template <>
inline constexpr auto kWords<wire::SignedIn> = words<wire::SignedIn>("unknown", "yes", "no");
}  // namespace hydra::model
