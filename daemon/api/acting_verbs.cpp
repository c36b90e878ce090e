// Verbs that start, stop, repeat, judge and remove races.
#include "base/strings.hpp"
#include "daemon/api/verbs.hpp"

#include <utility>

namespace hydra::api {
namespace {

Error out_of_range(const char* words, const char* member) { return {Errc::usage, words, member, {}}; }

void create(const Call& call, wire::RaceRequest asked) {
  if (asked.rounds < 1 || asked.rounds > 10)
    return call.refuse(out_of_range("a race has 1 to 10 rounds", "rounds"));
  if (!asked.until.empty() && asked.until != "green")
    return call.refuse(out_of_range("a race runs until \"green\", or until all have ended", "until"));
  race::CreateRequest request{std::move(asked), {}};
  if (request.auto_merge) request.config.merge.automatic = true;
  request.versions = known_versions(request);
  call.service().create(std::move(request), call.answering(201));
}

void verify(const Call& call, const wire::Nothing&) { call.service().verify(call.race, call.answering(201)); }

void cancel(const Call& call, const wire::CancelRequest& asked) {
  if (!asked.agent)
    return call.refuse({Errc::usage, "whom to cancel is missing", "agent",
                        "the name of an agent, or \"\" for the whole race"});
  const auto cancelled = call.service().cancel(call.race, *asked.agent);
  if (!cancelled.ok()) return call.refuse(cancelled.error());
  call.answer(wire::Cancelled{call.race, *asked.agent}, 202);
}

void retry(const Call& call, wire::RetryRequest asked) {
  if (asked.budget_usd && !(*asked.budget_usd >= 0))
    return call.refuse(out_of_range("a budget must be at least 0", "budget_usd"));
  call.service().retry({std::move(asked), call.race, {}}, call.answering());
}

void rescore(const Call& call, const wire::RescoreRequest& asked) {
  call.answer(call.service().rescore(call.race, asked.weights));
}

void approve(const Call& call, wire::ApproveRequest asked) {
  race::DecideCall made{call.race, {}, std::move(asked.author)};
  using model::DecisionKind;
  for (const auto& [whats, kind] : {std::pair{&asked.tests, DecisionKind::approve_test},
                                    {&asked.deleted, DecisionKind::approve_deleted},
                                    {&asked.accept, DecisionKind::accept},
                                    {&asked.unprotected, DecisionKind::unprotected}})
    for (auto& what : *whats) made.decisions.push_back({kind, std::move(what)});
  call.service().decide(std::move(made), call.answering());
}

void rate(const Call& call, wire::RateRequest asked) {
  call.service().rate({std::move(asked), call.race}, call.answering());
}

// The answer is a stream: its end, for whatever reason, ends what runs.
void try_results(const Call& call, wire::TryRequest asked) {
  auto& service = call.service();
  const auto stream = std::make_shared<std::shared_ptr<EventStream>>();
  auto tell = [stream, left = asked.agents.size()](const wire::TryFrame& frame) mutable {
    (*stream)->send("event: try\ndata: " + wire::to_json(frame) + "\n\n");
    if (frame.ended && --left == 0) (*stream)->close();
  };
  const auto number = service.try_results({std::move(asked), call.race}, std::move(tell));
  if (!number.ok()) return call.refuse(number.error());
  *stream = call.reply.stream();
  (*stream)->on_closed([&service, number = *number] { service.stop_try(number); });
}

void clean(const Call& call, const wire::CleanRequest& asked) {
  race::CleanCall made;
  made.apply = asked.apply;
  made.wait = asked.wait;
  made.ages = {asked.older_than_ms, asked.keep_ms, asked.min_bytes, false, asked.uncaptured};
  if (asked.only) made.only.emplace(asked.only->begin(), asked.only->end());
  if (!asked.race.empty()) {
    const auto found = call.service().resolve(asked.race, asked.repository);
    if (!found.ok()) return call.refuse(found.error());
    made.race = *found;
  }
  call.service().clean(std::move(made), call.answering());
}

void restore(const Call& call, const wire::RestoreRequest& asked) {
  call.service().restore(call.race, asked, call.answering());
}

void templates(const Call& call) { call.service().list_templates(call.answering()); }

constexpr Route kActingRows[]{
    socket_route<create>("POST", "/v1/races"),          route<verify>("POST", "/v1/races/{race}/verify"),
    route<cancel>("POST", "/v1/races/{race}/cancel"),   route<retry>("POST", "/v1/races/{race}/retry"),
    route<rescore>("POST", "/v1/races/{race}/rescore"), route<approve>("POST", "/v1/races/{race}/approve"),
    route<rate>("POST", "/v1/races/{race}/rate"),       route<clean>("POST", "/v1/clean"),
    route<try_results>("POST", "/v1/races/{race}/try"), route<restore>("POST", "/v1/races/{race}/restore"),
    route<templates>("GET", "/v1/templates"),
};

}  // namespace

std::span<const Route> acting_routes() { return kActingRows; }

}  // namespace hydra::api
