// Verbs of the daemon itself: health, API document, shutdown, events, and the scoreboard's listener.
#include "base/clock.hpp"
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"
#include "exec/started.hpp"
#include "storage/written.hpp"

#include <algorithm>
#include <unistd.h>

namespace hydra::api {
namespace {

void health(const Call& call) {
  const auto& desk = call.desk;
  wire::Health out;
  out.version = desk.facts.version;
  out.pid = ::getpid();
  out.state_dir = desk.facts.state_dir;
  out.races_running = desk.service.running_races();
  out.started_ms = desk.started_ms;
  out.server_ms = SystemClock().now();
  out.started_programs = exec::started_programs();
  const auto written = storage::written();
  out.written = {written.transactions, written.synced, written.bytes};
  if (desk.ui.port() != 0) out.ui = {desk.ui.port()};
  call.answer(out);
}

void openapi(const Call& call) { call.reply.respond(json_response(std::string(openapi_document()))); }

void shut_down(const Call& call, const wire::ShutdownRequest&) {
  call.answer(wire::Nothing{}, 202);
  call.desk.shutdown();
}

void events(const Call& call) {
  stream_events(call.desk.loop, call.service(), call.desk.pictures, call.race, call.request, call.reply);
}

void open_ui(const Call& call, wire::UiRequest asked) {
  const auto in_range = [](int port) { return port >= 0 && port <= 65535; };
  if (!in_range(asked.port) || !std::all_of(asked.allow_ports.begin(), asked.allow_ports.end(), in_range))
    return call.refuse({Errc::usage, "a port is between 0 and 65535", {}, {}});
  if (!asked.race.empty()) {
    const auto race = call.service().resolve(asked.race, {});
    if (!race.ok()) return call.refuse(race.error());
    asked.race = *race;
  }
  call.answer(call.desk.ui.open(asked.port, asked.allow_ports, std::move(asked.environment), asked.race),
              201);
}

void show_ui(const Call& call) {
  const auto& ui = call.desk.ui;
  wire::Ui out{{}, has_page(), ui.sessions(), ui.codes()};
  if (ui.port() != 0) out.port = ui.port();
  call.answer(out);
}

void close_ui(const Call& call) { call.answer(wire::ClosedUi{call.desk.ui.close()}); }

void end_session(const Call& call) {
  if (!call.desk.ui.end_session(call.name))
    return call.refuse({Errc::not_found, "no session '" + sanitize(call.name) + "'", {}, {}});
  call.answer(wire::Nothing{});
}

constexpr Route kDaemonRows[]{
    route<health>("GET", "/v1/health"),
    route<openapi>("GET", "/v1/openapi.json"),
    socket_route<shut_down>("POST", "/v1/shutdown"),
    route<events>("GET", "/v1/events"),
    route<events>("GET", "/v1/races/{race}/events"),
    socket_route<open_ui>("POST", "/v1/ui"),
    socket_route<show_ui>("GET", "/v1/ui"),
    socket_route<close_ui>("DELETE", "/v1/ui"),
    socket_route<end_session>("DELETE", "/v1/ui/{session}"),
};

}  // namespace

std::span<const Route> daemon_routes() { return kDaemonRows; }

}  // namespace hydra::api
