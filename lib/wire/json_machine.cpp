// Members of the daemon and its machine: machine.hpp.
#include "wire/machine.hpp"
#include "wire/members.hpp"

namespace hydra::wire {
namespace detail {

HYDRA_WIRE(Failure::What, code, message, where, hint);
HYDRA_WIRE(Failure, error);
HYDRA_WIRE(AgentInfo, id, display, builtin, installed, path, version, signed_in, sign_in_detail, problem,
           slow, hint);
HYDRA_WIRE(AgentList, agents);
HYDRA_WIRE(DoctorCheck, name, status, detail, remedy);
HYDRA_WIRE(Doctor, ok, checks);
HYDRA_WIRE(Written, transactions, synced, bytes);
HYDRA_WIRE(Port, port);
HYDRA_WIRE(Health, version, api, pid, state_dir, races_running, started_ms, server_ms, started_programs,
           written, ui);
HYDRA_WIRE(Ui, port, page, sessions, codes);
HYDRA_WIRE(OpenedUi, url, port, expires_ms);
HYDRA_WIRE(ClosedUi, closed);
HYDRA_WIRE(Session, tab, expires_ms);

}  // namespace detail

HYDRA_ANSWERS(Failure, AgentList, Doctor, Health, Ui, OpenedUi, ClosedUi, Session)

}  // namespace hydra::wire
