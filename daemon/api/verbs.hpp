// daemon/api: the verbs of the daemon, as rows of method, path and function. A row stands at the end of the
// source that answers it; a function's second parameter is the request that it takes (lib/wire/requests.hpp).
#pragma once

#include "daemon/api/previews.hpp"
#include "daemon/api/routes.hpp"
#include "daemon/api/ui.hpp"
#include "wire/json.hpp"
#include "wire/request.hpp"
#include "wire/requests.hpp"

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace hydra::api {

/// What all verbs work with.
struct Desk {
  boost::asio::io_context& loop;
  race::Service& service;
  ServerFacts facts;
  std::function<void()> shutdown;
  std::shared_ptr<Pictures> pictures;
  Ui ui;
  Previews previews{};
  std::int64_t started_ms = 0;

  /// A repository is named by a race that is of it: any other path of a browser's is none.
  [[nodiscard]] std::string known_repository(const std::string& path) const;
};

/// One request with what its path names.
struct Call {
  Desk& desk;
  Request request;
  std::string race;  ///< full id
  std::string name;  ///< what stands for the other word in braces
  Reply reply;

  [[nodiscard]] race::Service& service() const { return desk.service; }
  void refuse(const Error& error) const { reply.respond(error_response(error)); }
  template <class T>
  void answer(const T& result, int status = 200) const {
    reply.respond(json_response(wire::to_json(result), status));
  }
  template <class... T>
  void answer(const std::variant<T...>& result, int status = 200) const {
    std::visit([&](const auto& one) { answer(one, status); }, result);
  }
  template <class T>
  void answer(const Result<T>& result, int status = 200) const {
    if (!result.ok()) return refuse(result.error());
    answer(*result, status);
  }
  /// For verbs that end later.
  [[nodiscard]] auto answering(int status = 200) const {
    return [call = *this, status](const auto& result) { call.answer(result, status); };
  }
};

struct Route {
  std::string_view method;
  std::string_view path;  ///< "{race}": an id, a unique prefix or `last`; another name in braces: one segment
  void (*run)(const Call&);
  std::vector<std::string> (*members)();  ///< of the body
  bool door;                              ///< answered through the loopback listener, too
};

namespace detail {

/// What the scoreboard can't know comes from the terminal that opened it, and from the race.
template <class T>
void settle(const Call& call, T& request) {
  if (!call.request.door) return;
  if constexpr (requires { request.environment; })
    request.environment = call.desk.ui.environment(call.request.session);
  if constexpr (requires { request.directory; })
    request.directory = call.desk.known_repository(request.directory);
}

template <auto verb>
struct Row;
template <void (*verb)(const Call&)>
struct Row<verb> {
  static void run(const Call& call) { verb(call); }
  static std::vector<std::string> members() { return {}; }
};
template <class T, void (*verb)(const Call&, T)>
struct Row<verb> {
  using Request = std::remove_cvref_t<T>;
  static void run(const Call& call) {
    auto request = wire::request_from<Request>(
        call.request.body, call.request.door ? wire::Asker::browser : wire::Asker::program);
    if (!request.ok()) return call.refuse(request.error());
    settle(call, *request);
    verb(call, std::move(*request));
  }
  static std::vector<std::string> members() { return wire::member_names<Request>(); }
};

}  // namespace detail

template <auto verb>
constexpr Route route(std::string_view method, std::string_view path) {
  return {method, path, detail::Row<verb>::run, detail::Row<verb>::members, true};
}
/// On the unix socket alone.
template <auto verb>
constexpr Route socket_route(std::string_view method, std::string_view path) {
  return {method, path, detail::Row<verb>::run, detail::Row<verb>::members, false};
}

// One function a source that has rows.
std::span<const Route> daemon_routes();
std::span<const Route> machine_routes();
std::span<const Route> acting_routes();
std::span<const Route> merging_routes();
std::span<const Route> race_routes();
std::span<const Route> league_routes();
/// All of them: every operation of docs/openapi.json but for the browser's signing in and out.
std::vector<Route> all_routes();

/// A number of the query; `usage` for anything else.
Result<std::int64_t> number_in(const Request& request, std::string_view name, std::int64_t none);

}  // namespace hydra::api
