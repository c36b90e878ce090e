// Verbs of merging. A browser can only merge exactly what a preview has shown.
#include "daemon/api/verbs.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace hydra::api {
namespace {

// A result is named by `target`, or by `race` and `agent`.
Result<race::MergeCall> merge_call(const Call& call, wire::MergeRequest asked) {
  if (!asked.race.empty()) {
    HYDRA_TRY(const auto id, call.service().resolve(asked.race, {}));
    asked.target = asked.agent.empty() ? id : id + "/" + asked.agent;
    if (asked.directory.empty()) {
      HYDRA_TRY(asked.directory, call.service().repository_of(id));
    }
    if (asked.agent.empty() && !asked.undo) return Error{Errc::usage, "a merge names its agent", "agent", {}};
  }
  if (call.request.door && asked.directory.empty())
    return Error{Errc::usage, "a merge names its race", "race", {}};
  return race::MergeCall{std::move(asked), call.reply.gone};
}

std::string how_of(const race::MergeCall& call) {
  return nlohmann::json{call.target,  call.squash, call.ff,      call.ff_only,
                        call.message, call.undo,   call.without, call.with_generated}
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void merge_as_shown(const Call& call, race::MergeCall merge) {
  const auto shown = call.desk.previews.take(merge.preview, call.request.session, how_of(merge));
  if (!shown.ok()) return call.refuse(shown.error());
  merge.expected_ref = shown->ref;
  auto look = merge;
  look.dry_run = true;
  look.allow.clear();  // as in the preview, which lists all needed consents
  call.service().merge(std::move(look), [call, merge, shown = *shown](const Result<wire::MergeAnswer>& now) {
    if (!now.ok()) return call.refuse(now.error());
    const auto* view = std::get_if<wire::Merge>(&*now);
    if (const auto what = view ? moved_since(shown, *view) : std::string("the preview"); !what.empty())
      return call.reply.respond(
          refusal(409, "conflict", what + " moved since it was shown", "look at a new preview"));
    call.service().merge(merge, call.answering());
  });
}

void look_at_merge(const Call& call, race::MergeCall merge) {
  const auto how = how_of(merge);
  call.service().merge(std::move(merge), [call, how](const Result<wire::MergeAnswer>& preview) {
    const auto* view = preview.ok() ? std::get_if<wire::Merge>(&*preview) : nullptr;
    if (!view) return call.answer(preview);  // another operation holds the lock
    call.answer(call.desk.previews.keep(*view, call.request.session, how));
  });
}

void merge(const Call& call, wire::MergeRequest asked) {
  auto made = merge_call(call, std::move(asked));
  if (!made.ok()) return call.refuse(made.error());
  if (made->dry_run) return look_at_merge(call, std::move(*made));
  if (!made->preview.empty()) return merge_as_shown(call, std::move(*made));
  if (call.request.door && !made->undo)
    return call.refuse({Errc::usage, "a merge needs the preview that was looked at", "preview", {}});
  call.service().merge(std::move(*made), call.answering());
}

void combine(const Call& call, wire::CombineRequest asked) {
  call.service().combine(std::move(asked), call.answering(201));
}

constexpr Route kMergingRows[]{
    route<merge>("POST", "/v1/merge"),
    socket_route<combine>("POST", "/v1/combine"),
};

}  // namespace

std::span<const Route> merging_routes() { return kMergingRows; }

}  // namespace hydra::api
