// Verbs that read races.
#include "base/sha256.hpp"
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"

#include <algorithm>

namespace hydra::api {
namespace {

Result<storage::RaceQuery> list_query(const Request& request) {
  storage::RaceQuery query;
  query.directory = request.param("repository");
  query.state = request.param("state");
  query.text = request.param("q");
  HYDRA_TRY(const auto limit, number_in(request, "limit", 200));
  HYDRA_TRY(query.before, number_in(request, "cursor", 0));
  query.limit = static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 1, 500));
  return query;
}

Result<race::TestsQuery> tests_query(const Request& request) {
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
  return query;
}

Result<race::LogQuery> log_query(const std::string& name, const Request& request) {
  race::LogQuery query;
  query.subject = model::subject_of(name);
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

void log_slice(const Call& call) {
  const auto query = log_query(call.name, call.request);
  if (!query.ok()) return call.refuse(query.error());
  call.service().log(call.race, *query, [call](Result<race::LogSlice> slice) {
    if (!slice.ok()) return call.refuse(slice.error());
    Response response;
    response.content_type = "application/octet-stream";
    response.body = std::move(slice->bytes);
    response.headers = {{"X-Hydra-Offset", std::to_string(slice->offset)},
                        {"X-Hydra-Next-Offset", std::to_string(slice->next_offset)},
                        {"X-Hydra-Ended", slice->ended ? "1" : "0"},
                        {"X-Hydra-Cut", slice->cut ? "1" : "0"},
                        {"Content-Disposition", "attachment"}};
    call.reply.respond(std::move(response));
  });
}

Result<race::DiffQuery> diff_query(const Request& request) {
  race::DiffQuery query;
  if (const auto against = request.param("against"); against != "@baseline") query.against = against;
  query.path = request.param("path");
  query.since_retry = request.param("since") == "retry";
  query.ignore_space = request.param("space") == "ignore";
  query.utf8 = request.param("format") == "utf8";
  HYDRA_TRY(const auto context, number_in(request, "context", 3));
  query.context = static_cast<int>(std::clamp<std::int64_t>(context, 0, 1000));
  return query;
}

void diff(const Call& call) {
  const auto& format = call.request.param("format");
  if (!format.empty() && format != "json" && format != "text" && format != "utf8")
    return call.refuse({Errc::usage, "no such format", "format", "json, text or utf8"});
  const auto query = diff_query(call.request);
  if (!query.ok()) return call.refuse(query.error());
  if (format == "json") return call.service().diff_files(call.race, call.name, *query, call.listing());
  call.service().diff(call.race, call.name, *query, [call](Result<race::Patch> patch) {
    if (!patch.ok()) return call.refuse(patch.error());
    Response response;
    response.content_type = "text/plain; charset=utf-8";
    response.body = std::move(patch->text);
    // Commits are immutable, and so is the difference of two commits.
    response.headers = kept_by_browsers(patch->identity);
    response.headers.emplace_back("X-Hydra-Cut", patch->cut ? "1" : "0");
    call.reply.respond(std::move(response));
  });
}

void list(const Call& call) {
  const auto query = list_query(call.request);
  if (!query.ok()) return call.refuse(query.error());
  call.service().list(*query, call.listing(true));
}

void status(const Call& call) { call.answer(call.service().status(call.race)); }
void results(const Call& call) { call.answer(call.service().results(call.race)); }
void explain(const Call& call) { call.answer(call.service().explain(call.race, call.name)); }
void tests(const Call& call) {
  const auto query = tests_query(call.request);
  if (!query.ok()) return call.refuse(query.error());
  call.service().tests(call.race, *query, call.listing());
}
void test(const Call& call) {
  call.answer(call.service().test(call.race, call.name, call.request.param("name")));
}
void lint(const Call& call) {
  const auto from = number_in(call.request, "cursor", 0);
  if (!from.ok()) return call.refuse(from.error());
  call.answer(call.service().lint(call.race, call.name, call.request.param("new") == "1",
                                  static_cast<std::size_t>(*from)));
}
void attempts(const Call& call) { call.answer(call.service().attempts(call.race)); }
void verification(const Call& call) { call.answer(call.service().verification(call.race)); }
void log_lines(const Call& call) {
  const auto query = log_query(call.name, call.request);
  if (!query.ok()) return call.refuse(query.error());
  call.service().log_lines(call.race, *query, call.listing());
}
void behaviour(const Call& call) {
  call.answer(call.service().behaviour(call.race, call.name, call.request.param("against")));
}
void report(const Call& call) { send_report(call.service(), call.race, call.request, call.reply); }

constexpr Route kRaceRows[]{
    route<list>("GET", "/v1/races"),
    route<status>("GET", "/v1/races/{race}"),
    route<results>("GET", "/v1/races/{race}/results"),
    route<tests>("GET", "/v1/races/{race}/tests"),
    route<test>("GET", "/v1/races/{race}/tests/{agent}"),
    route<lint>("GET", "/v1/races/{race}/lint/{agent}"),
    route<attempts>("GET", "/v1/races/{race}/attempts"),
    route<explain>("GET", "/v1/races/{race}/explain/{agent}"),
    route<verification>("GET", "/v1/races/{race}/verification"),
    route<log_slice>("GET", "/v1/races/{race}/logs/{subject}"),
    route<log_lines>("GET", "/v1/races/{race}/logs/{subject}/lines"),
    route<diff>("GET", "/v1/races/{race}/diff/{agent}"),
    route<behaviour>("GET", "/v1/races/{race}/behaviour/{agent}"),
    route<report>("GET", "/v1/races/{race}/report"),
};

}  // namespace

std::vector<std::pair<std::string, std::string>> kept_by_browsers(std::string_view identity) {
  return {{"ETag", "\"" + sha256_hex(identity).substr(0, 32) + "\""}, {"Cache-Control", "private, no-cache"}};
}

std::span<const Route> race_routes() { return kRaceRows; }

}  // namespace hydra::api
