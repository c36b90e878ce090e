#include "daemon/api/previews.hpp"

#include "base/clock.hpp"

#include <algorithm>

namespace hydra::api {
namespace {

constexpr std::size_t kMost = 256;

}  // namespace

wire::Merge Previews::keep(wire::Merge answer, const std::string& session, const std::string& how) {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(shown_, [&](const auto& entry) { return entry.second.until <= now; });
  if (shown_.size() >= kMost)
    shown_.erase(std::min_element(shown_.begin(), shown_.end(), [](const auto& a, const auto& b) {
      return a.second.until < b.second.until;
    }));
  const auto token = RandomIds().token();
  shown_[token] = {answer, session, how, now + kLife};
  answer.preview = token;
  answer.expires_ms = SystemClock().now() + std::chrono::milliseconds(kLife).count();
  return answer;
}

Result<wire::Merge> Previews::take(const std::string& token, const std::string& session,
                                   const std::string& how) {
  const auto found = shown_.find(token);
  const bool good = found != shown_.end() && found->second.session == session && found->second.how == how &&
                    found->second.until > std::chrono::steady_clock::now();
  if (!good)
    return Error{Errc::conflict, "this preview was used before, or is too old", "preview",
                 "look at a new one"};
  auto answer = std::move(found->second.answer);
  shown_.erase(found);
  return answer;
}

std::string moved_since(const wire::Merge& shown, const wire::Merge& now) {
  if (shown.race != now.race) return "the race";
  if (shown.agent != now.agent) return "the result";
  if (shown.ref != now.ref) return "the branch";
  if (shown.old_commit != now.old_commit) return "the branch's commit";
  if (shown.branch != now.branch) return "the result's branch";
  if (shown.consent != now.consent) return "what needs consent";
  if (shown.conflicts != now.conflicts) return "the conflicts";
  if (shown.overlap != now.overlap) return "your uncommitted changes";
  if (shown.left_out != now.left_out) return "what is left out";
  return shown.diff == now.diff ? "" : "the changes";
}

}  // namespace hydra::api
