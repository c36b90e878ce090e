#include "daemon/api/previews.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <sys/random.h>

namespace hydra::api {
namespace {

using nlohmann::json;
constexpr std::size_t kMost = 256;

std::string new_token() {
  std::array<char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("the machine has no random numbers");
  return hex({bytes.data(), bytes.size()});
}

}  // namespace

std::string Previews::keep(const std::string& answer, const std::string& session, const std::string& how) {
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(shown_, [&](const auto& entry) { return entry.second.until <= now; });
  if (shown_.size() >= kMost)
    shown_.erase(std::min_element(shown_.begin(), shown_.end(), [](const auto& a, const auto& b) {
      return a.second.until < b.second.until;
    }));
  auto j = json::parse(answer, nullptr, false);
  if (!j.is_object() || !j.contains("ref")) return answer;  // somebody else has the turn
  const auto token = new_token();
  shown_[token] = {answer, session, how, now + kLife};
  j["preview"] = token;
  j["expires_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                        (std::chrono::system_clock::now() + kLife).time_since_epoch())
                        .count();
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::string> Previews::take(const std::string& token, const std::string& session,
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

std::string moved_since(const std::string& shown, const std::string& now) {
  const auto a = json::parse(shown, nullptr, false), b = json::parse(now, nullptr, false);
  if (!a.is_object() || !b.is_object()) return "the preview";
  for (const auto& [member, words] : {std::pair{"race", "the race"},
                                      {"agent", "the result"},
                                      {"ref", "the branch"},
                                      {"old_commit", "the branch's commit"},
                                      {"branch", "the result's branch"},
                                      {"consent", "what needs consent"},
                                      {"conflicts", "the conflicts"},
                                      {"overlap", "your uncommitted changes"},
                                      {"diff", "the changes"}})
    if (a.value(member, json()) != b.value(member, json())) return words;
  return {};
}

}  // namespace hydra::api
