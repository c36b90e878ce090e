// Answers without data: errors by their codes, refusals by their status.
#include "daemon/api/http.hpp"
#include "wire/json.hpp"
#include "wire/machine.hpp"

#include <cerrno>

namespace hydra::api {
namespace {

int status_of(Errc code) {
  switch (code) {
    case Errc::usage:
    case Errc::config:
      return 400;
    case Errc::not_found:
      return 404;
    case Errc::conflict:
    case Errc::refused:
      return 409;
    case Errc::unsupported:
      return 501;
    case Errc::environment:
      return 503;
    case Errc::timeout:
      return 504;
    case Errc::git:
    case Errc::io:
    case Errc::protocol:
    case Errc::internal:
      return 500;
  }
  return 500;
}

Response error_object(int status, std::string_view code, const Error& error) {
  return json_response(
      wire::to_json(wire::Failure{{std::string(code), error.message, error.where, error.hint}}), status);
}

}  // namespace

Response json_response(std::string body, int status) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

Response error_response(const Error& error) {
  const bool full = error.number == ENOSPC || error.number == EDQUOT;
  return error_object(full ? 507 : status_of(error.code), errc_name(error.code), error);
}

Response refusal(int status, std::string_view code, std::string message, std::string hint) {
  return error_object(status, code, {Errc::refused, std::move(message), {}, std::move(hint)});
}

}  // namespace hydra::api
