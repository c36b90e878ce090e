#include "daemon/api/race_answers.hpp"

#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "daemon/api/answer.hpp"

#include <algorithm>

namespace hydra::api {
namespace {

// A number of the query; `usage` for anything else.
Result<std::int64_t> number_in(const Request& request, std::string_view name, std::int64_t none) {
  const auto text = request.param(name);
  if (text.empty()) return none;
  if (const auto value = parse_int(text)) return *value;
  return Error{Errc::usage, std::string(name) + " is no number", {}, {}};
}

Result<wire::RaceList> race_list(race::Service& service, const Request& request) {
  race::ListQuery query;
  query.directory = request.param("repository");
  query.state = request.param("state");
  query.text = request.param("q");
  HYDRA_TRY(const auto limit, number_in(request, "limit", 200));
  HYDRA_TRY(query.before, number_in(request, "cursor", 0));
  query.limit = static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, 500));
  return service.list(query);
}

Result<std::string> race_tests(race::Service& service, const std::string& race, const Request& request) {
  race::TestsQuery query;
  const auto show = request.param("show");
  if (!show.empty() && show != "changed" && show != "failed" && show != "all")
    return Error{Errc::usage, "no such choice: " + sanitize(show), "show", "changed, failed or all"};
  if (!show.empty()) query.show = show;
  query.text = request.param("q");
  HYDRA_TRY(const auto from, number_in(request, "cursor", 0));
  HYDRA_TRY(const auto limit, number_in(request, "limit", 5000));
  query.from = static_cast<std::size_t>(from);
  query.limit = static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, 10'000));
  return service.tests_json(race, query);
}

Result<std::string> race_lint(race::Service& service, const std::string& race, const std::string& agent,
                              const Request& request) {
  HYDRA_TRY(const auto from, number_in(request, "cursor", 0));
  return service.lint_json(race, agent, request.param("new") == "1", static_cast<std::size_t>(from));
}

Result<race::LogQuery> log_query(const std::string& subject, const Request& request) {
  race::LogQuery query;
  query.subject = subject;
  if (const auto kind = request.param("kind"); !kind.empty()) query.kind = kind;
  query.attempt = request.param("attempt");
  query.err = request.param("stream") == "err";
  query.raw = request.param("raw") == "1";
  HYDRA_TRY(query.offset, number_in(request, "offset", 0));
  HYDRA_TRY(query.tail, number_in(request, "tail", 0));
  HYDRA_TRY(query.line, number_in(request, "line", 0));
  HYDRA_TRY(const auto most, number_in(request, "max", 1 << 20));
  query.most = std::clamp<std::int64_t>(most, 1 << 10, 1 << 20);
  return query;
}

void race_log(race::Service& service, const std::string& race, const std::string& subject,
              const Request& request, const Reply& reply) {
  const auto query = log_query(subject, request);
  if (!query.ok()) return reply.respond(error_response(query.error()));
  auto slice = service.log(race, *query);
  if (!slice.ok()) return reply.respond(error_response(slice.error()));
  Response response;
  response.content_type = "application/octet-stream";
  response.body = std::move(slice->bytes);
  response.headers = {{"X-Hydra-Offset", std::to_string(slice->offset)},
                      {"X-Hydra-Next-Offset", std::to_string(slice->next_offset)},
                      {"X-Hydra-Ended", slice->ended ? "1" : "0"},
                      {"X-Hydra-Cut", slice->cut ? "1" : "0"},
                      {"Content-Disposition", "attachment"}};
  reply.respond(std::move(response));
}

Result<race::DiffQuery> diff_query(const Request& request) {
  race::DiffQuery query;
  if (const auto against = request.param("against"); against != "@base") query.against = against;
  query.path = request.param("path");
  query.ignore_space = request.param("space") == "ignore";
  HYDRA_TRY(const auto context, number_in(request, "context", 3));
  query.context = static_cast<int>(std::clamp<std::int64_t>(context, 0, 1000));
  return query;
}

void race_diff(race::Service& service, const std::string& race, const std::string& agent,
               const Request& request, const Reply& reply) {
  const auto format = request.param("format");
  if (!format.empty() && format != "json" && format != "text")
    return reply.respond(error_response({Errc::usage, "no such format", "format", "json or text"}));
  const auto query = diff_query(request);
  if (!query.ok()) return reply.respond(error_response(query.error()));
  if (format == "json")
    return service.diff_files(race, agent, *query,
                              [reply](const Result<std::string>& files) { answer(files, reply); });
  service.diff(race, agent, *query, [reply](Result<race::Patch> patch) {
    if (!patch.ok()) return reply.respond(error_response(patch.error()));
    Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.body = std::move(patch->text);
    // Commits never change, and neither does what lies between two of them.
    response.headers = {{"ETag", "\"" + sha256_hex(patch->identity).substr(0, 32) + "\""},
                        {"Cache-Control", "private, no-cache"},
                        {"X-Hydra-Cut", patch->cut ? "1" : "0"}};
    reply.respond(std::move(response));
  });
}

void list_races(race::Service& service, const Request& request, const Reply& reply) {
  const auto rows = race_list(service, request);
  if (!rows.ok()) return reply.respond(error_response(rows.error()));
  auto response = json_response(wire::to_json(*rows));
  response.headers = {{"ETag", "\"" + sha256_hex(response.body).substr(0, 32) + "\""},
                      {"Cache-Control", "private, no-cache"}};
  reply.respond(std::move(response));
}

}  // namespace

void answer_of_race(race::Service& service, Operation operation, const std::string& race,
                    const std::string& name, const Request& request, const Reply& reply) {
  switch (operation) {
    case Operation::list:
      return list_races(service, request, reply);
    case Operation::status:
      return answer(service.status(race), reply);
    case Operation::results:
      return answer(service.results(race), reply);
    case Operation::tests:
      return answer(race_tests(service, race, request), reply);
    case Operation::test:
      return answer(service.test_json(race, name, request.param("name")), reply);
    case Operation::lint:
      return answer(race_lint(service, race, name, request), reply);
    case Operation::attempts:
      return answer(service.attempts_json(race), reply);
    case Operation::explain:
      return answer(service.explain(race, name), reply);
    case Operation::verification:
      return answer(service.verification_json(race), reply);
    case Operation::log:
      return race_log(service, race, name, request, reply);
    case Operation::log_lines: {
      const auto query = log_query(name, request);
      return answer(query.ok() ? service.log_lines_json(race, *query) : Result<std::string>(query.error()),
                    reply);
    }
    case Operation::behaviour:
      return answer(service.behaviour_json(race, name, request.param("against")), reply);
    case Operation::diff:
      return race_diff(service, race, name, request, reply);
    default:
      return reply.respond(error_response({Errc::internal, "no answer for this route", {}, {}}));
  }
}

}  // namespace hydra::api
