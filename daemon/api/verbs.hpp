// daemon/api: the verbs of the daemon, as rows of method, path and function. Each row is at the end of the
// source that answers it; a function's second parameter is its request (lib/wire/requests.hpp).
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

/// Shared context of all verbs.
struct Desk {
  boost::asio::io_context& loop;
  race::Service& service;
  ServerFacts facts;
  std::function<void()> shutdown;
  std::shared_ptr<Pictures> pictures;
  Ui ui;
  Previews previews{};
  std::int64_t started_ms = 0;

  /// Returns the path of a repository that has a race; empty for any other path from a browser.
  [[nodiscard]] std::string known_repository(const std::string& path) const;
};

/// Headers of an answer that a browser may keep, and asks for again: the tag is made of `identity`.
std::vector<std::pair<std::string, std::string>> kept_by_browsers(std::string_view identity);

/// A request with the names from its path.
struct Call {
  Desk& desk;
  Request request;
  std::string race;  ///< full id
  std::string name;  ///< text matched by the other word in braces
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
  /// Returns a callback for verbs that complete later.
  [[nodiscard]] auto answering(int status = 200) const {
    return [call = *this, status](const auto& result) { call.answer(result, status); };
  }
  /// answering() for long lists, whose JSON is made beside the loop. `tagged`: a browser may keep the answer.
  [[nodiscard]] auto listing(bool tagged = false) const {
    return [call = *this, tagged](auto result) {
      if (!result.ok()) return call.refuse(result.error());
      const auto list = std::make_shared<std::remove_cvref_t<decltype(*result)>>(std::move(*result));
      const auto response = std::make_shared<Response>();
      call.service().background_read(
          [list, response, tagged] {
            *response = json_response(wire::to_json(*list));
            if (tagged) response->headers = kept_by_browsers(response->body);
          },
          [call, response](const Result<void>& made) {
            if (!made.ok()) return call.refuse(made.error());
            call.reply.respond(std::move(*response));
          });
    };
  }
};

struct Route {
  std::string_view method;
  std::string_view path;  ///< "{race}": an id, a unique prefix or `last`; another name in braces: one segment
  void (*run)(const Call&);
  std::vector<std::string> (*members)();  ///< names of the body's members
  bool door;                              ///< also answered through the loopback listener
};

namespace detail {

/// Sets members that a scoreboard may not send: from the terminal that opened it, and from the race.
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
/// A row answered on the unix socket only.
template <auto verb>
constexpr Route socket_route(std::string_view method, std::string_view path) {
  return {method, path, detail::Row<verb>::run, detail::Row<verb>::members, false};
}

// Each source with rows defines one of these functions.
std::span<const Route> daemon_routes();
std::span<const Route> machine_routes();
std::span<const Route> acting_routes();
std::span<const Route> merging_routes();
std::span<const Route> race_routes();
std::span<const Route> league_routes();
/// Returns all rows: every operation of docs/openapi.json except the browser's sign-in and sign-out.
std::vector<Route> all_routes();

/// Returns a number of the query; `usage` for any other text.
Result<std::int64_t> number_in(const Request& request, std::string_view name, std::int64_t none);

}  // namespace hydra::api
