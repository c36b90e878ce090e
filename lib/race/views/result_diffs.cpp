// Compares two results: which files differ, and how.
#include "base/strings.hpp"
#include "race/impl.hpp"
#include "race/state/behaviour.hpp"
#include "race/state/gating.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hydra::race {
namespace {

constexpr std::size_t kMostOfOneFile = 2u << 20, kMostOfAll = 64u << 20;

Result<std::string> captured_commit(const State& state, const std::string& name) {
  const auto* agent = state.agent(name);
  if (!agent)
    return Error{Errc::not_found, "no agent '" + sanitize(name) + "' in this race", state.spec.id, {}};
  if (!agent->capture) return Error{Errc::conflict, name + " has no captured result yet", state.spec.id, {}};
  return agent->capture->commit;
}

/// `undo`: command that restores removed captures.
Result<git::CompareRequest> sides(const Race& race, const std::string& name, const DiffQuery& query,
                                  const std::string& undo) {
  const auto& state = race.state;
  git::CompareRequest request;
  HYDRA_TRY(request.to, captured_commit(state, name));
  request.from = state.spec.repository.base;
  if (!query.against.empty()) {
    HYDRA_TRY(request.from, captured_commit(state, query.against));
  }
  if (query.since_retry) {
    const auto& earlier = state.agent(name)->earlier;
    const auto last = std::find_if(earlier.rbegin(), earlier.rend(), [](const EarlierAttempt& attempt) {
      return !attempt.commit.empty() && !attempt.counts;
    });
    if (last == earlier.rend())
      return Error{Errc::not_found, name + " has no earlier result: it was not retried", state.spec.id,
                   "hydra retry " + state.spec.id + "/" + name + " --review FILE"};
    request.from = last->commit;
  }
  request.path = query.path;
  request.context = query.context;
  request.ignore_space = query.ignore_space;
  request.utf8 = query.utf8;
  std::error_code ec;
  if (!race.store || !fs::is_directory(race.layout.store(), ec))
    return Error{Errc::not_found, "the captures of this race were cleaned away", state.spec.id, undo};
  return request;
}

wire::DiffFiles files_view(const State& state, const std::string& name, const git::CompareRequest& request,
                           const std::vector<git::DiffEntry>& entries) {
  const auto& agent = *state.agent(name);
  const auto& apart = agent.capture->set_apart;
  const auto findings = findings_of(state, agent);
  const auto* integrity = integrity_of(state, agent);
  wire::DiffFiles out{{request.from, request.to}, {}, 0, 0};
  for (const auto& entry : entries) {
    const auto of_entry = [&](const auto& row) { return row.path == entry.path; };
    wire::DiffFile file{entry.path, entry.old_path, std::string(1, entry.status), entry.binary};
    file.set_apart = std::find(apart.begin(), apart.end(), entry.path) != apart.end();
    file.protected_ =
        integrity && std::any_of(integrity->restored.begin(), integrity->restored.end(), of_entry);
    file.findings = std::count_if(findings.begin(), findings.end(), of_entry);
    out.lines_added += file.added = entry.added;
    out.lines_removed += file.removed = entry.removed;
    out.files.push_back(std::move(file));
  }
  return out;
}

}  // namespace

void Service::diff_files(const std::string& id, const std::string& name, const DiffQuery& query,
                         std::function<void(Result<wire::DiffFiles>)> done) {
  const auto race = impl_->load(id);
  if (!race.ok()) return done(race.error());
  const auto request = sides(**race, name, query, impl_->undo_hint(id));
  if (!request.ok()) return done(request.error());
  impl_->background(
      [store = *(*race)->store, request = *request] { return store.compare(request); },
      [race = *race, name, request = *request, done](const Result<std::vector<git::DiffEntry>>& entries) {
        if (!entries.ok()) return done(entries.error());
        done(files_view(race->state, name, request, *entries));
      });
}

Result<wire::Behaviour> Service::behaviour(const std::string& id, const std::string& a,
                                           const std::string& b) {
  HYDRA_TRY(const auto race, impl_->load(id));
  for (const auto& name : {a, b}) {
    if (auto captured = captured_commit(race->state, name); !captured.ok())
      return std::move(captured).error();
    if (!race->state.ranking)
      return Error{Errc::conflict, "the race is not ranked yet", id, "wait for it: hydra watch"};
  }
  return race::behaviour(race->state, a, b);
}

void Service::diff(const std::string& id, const std::string& name, const DiffQuery& query,
                   std::function<void(Result<Patch>)> done) {
  const auto race = impl_->load(id);
  if (!race.ok()) return done(race.error());
  const auto request = sides(**race, name, query, impl_->undo_hint(id));
  if (!request.ok()) return done(request.error());
  const auto most = query.path.empty() ? kMostOfAll : kMostOfOneFile;
  impl_->background(
      [store = *(*race)->store, request = *request, most] { return store.patch(request, most); },
      [request = *request, most, done](Result<std::string> text) {
        if (!text.ok()) return done(std::move(text).error());
        Patch patch{std::move(*text), false,
                    fmt::format("{} {} {} {} {} {}", request.from, request.to, request.context,
                                request.ignore_space, request.utf8, request.path)};
        patch.cut = patch.text.size() >= most;
        done(std::move(patch));
      });
}

}  // namespace hydra::race
