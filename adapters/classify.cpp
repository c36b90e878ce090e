#include "adapters/classify.hpp"

#include "base/strings.hpp"

#include <re2/re2.h>

#include <memory>

namespace hydra::adapters {
namespace {

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

bool found(std::string_view text, const RE2& re) { return RE2::PartialMatch(piece(text), re); }

RE2::Options latin() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // foreign bytes need not be UTF-8
  options.set_log_errors(false);
  return options;
}

std::string line_with(std::string_view text, const RE2& re) {
  for (const auto line : lines(text))
    if (found(line, re)) return sanitize(trim(line.substr(0, 300)));
  return {};
}

}  // namespace

std::optional<int> status_in_text(std::string_view text) {
  static const RE2 named(
      R"((?i)(?:status(?:\s*code)?|"?code"?|HTTP(?:/[\d.]+)?|API Error)["':\s=]*([45]\d\d)\b)", latin());
  static const RE2 in_parentheses(R"(\(([45]\d\d)\))", latin());
  static const RE2 worded(
      R"((?i)\b([45]\d\d) (?:Unauthorized|Forbidden|Payment Required|Too Many Requests|Bad Request|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout))",
      latin());
  int status = 0;
  if (RE2::PartialMatch(piece(text), named, &status) ||
      RE2::PartialMatch(piece(text), in_parentheses, &status) ||
      RE2::PartialMatch(piece(text), worded, &status))
    return status;
  return std::nullopt;
}

std::string classify_status(int status) {
  if (status == 401 || status == 403) return "auth";
  if (status == 402 || status == 429) return "rate_limit";
  if (status >= 500 || status == 408) return "provider";
  return "agent_error";
}

std::string classify_error(std::optional<int> status, std::string_view text) {
  if (!status) status = status_in_text(text);
  if (status) return classify_status(*status);
  static const RE2 auth(
      R"((?i)not logged in|invalid (?:x-)?api[ -]?key|missing api key|no api key|unauthori[sz]ed|unauthenticated|authentication[_ ](?:failed|error)|please run /login|invalid auth)",
      latin());
  static const RE2 limit(
      R"((?i)rate[_ -]?limit|too many requests|quota|usage limit|session limit|resource_exhausted|insufficient (?:credit|funds|balance)|credit balance)",
      latin());
  static const RE2 provider(
      R"((?i)overloaded|high demand|stream disconnected|connection (?:failed|error|refused|reset)|waiting for network|error sending request|ECONN|ENOTFOUND|EAI_AGAIN|network error|fetch failed|socket hang up|service unavailable|internal server error|bad gateway|timed? ?out)",
      latin());
  if (found(text, auth)) return "auth";
  if (found(text, limit)) return "rate_limit";
  if (found(text, provider)) return "provider";
  return "agent_error";
}

std::optional<SetupProblem> setup_problem(std::string_view stderr_tail) {
  static const RE2 auth(
      R"((?i)not logged in|no api key|no auth provided|authentication failed|authentication required|invalid auth method|missing environment variable|api key (?:is )?(?:missing|not set|required))",
      latin());
  static const RE2 refusal(
      R"((?i)not running in a trusted directory|workspace trust required|not inside a trusted directory|cannot be used with root|requires --verbose|unexpected argument|unknown (?:arguments?|options?)|unrecognized (?:arguments?|options?)|cannot find module)",
      latin());
  if (auto line = line_with(stderr_tail, auth); !line.empty()) return SetupProblem{"auth", line};
  if (auto line = line_with(stderr_tail, refusal); !line.empty()) return SetupProblem{"launch_error", line};
  return std::nullopt;
}

}  // namespace hydra::adapters
