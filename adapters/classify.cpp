#include "adapters/classify.hpp"

#include "base/strings.hpp"

#include <re2/re2.h>

#include <memory>

namespace hydra::adapters {

using model::ErrorClass;

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
  // A number in parentheses may count anything: turns, bytes, files.
  static const RE2 in_parentheses(
      R"((?i)\b(?:status|HTTP|error|code|unauthorized|forbidden|requests|unavailable|gateway|timeout)\W{0,3}(?:\w+\W){0,2}\(([45]\d\d)\))",
      latin());
  static const RE2 worded(
      R"((?i)\b([45]\d\d) (?:Unauthorized|Forbidden|Payment Required|Too Many Requests|Bad Request|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout))",
      latin());
  static const RE2 leading(R"(^\W{0,3}([45]\d\d)\b)", latin());
  int status = 0;
  if (RE2::PartialMatch(piece(text), leading, &status) || RE2::PartialMatch(piece(text), named, &status) ||
      RE2::PartialMatch(piece(text), in_parentheses, &status) ||
      RE2::PartialMatch(piece(text), worded, &status))
    return status;
  return std::nullopt;
}

ErrorClass classify_status(int status) {
  if (status == 401 || status == 403) return ErrorClass::auth;
  if (status == 402 || status == 429) return ErrorClass::rate_limit;
  if (status >= 500 || status == 408) return ErrorClass::provider;
  return ErrorClass::agent_error;
}

std::optional<ErrorClass> classify_word(std::string_view word) {
  static const RE2 auth(R"((?i)auth|permission|api.?key|credential|forbidden|login)", latin());
  static const RE2 limit(
      R"((?i)rate.?limit|too.?many|quota|usage.?limit|billing|credit|payment|exhausted|throttl)", latin());
  static const RE2 provider(
      R"((?i)network|server|overload|timeout|connection|unavailable|\bprovider\b|provider.?error|upstream)",
      latin());
  if (word.empty()) return std::nullopt;
  if (found(word, auth)) return ErrorClass::auth;
  if (found(word, limit)) return ErrorClass::rate_limit;
  if (found(word, provider)) return ErrorClass::provider;
  return std::nullopt;
}

ErrorClass classify_error(std::optional<int> status, std::string_view text, std::string_view word) {
  static const RE2 auth(
      R"((?i)not logged in|(?:invalid|incorrect|wrong) (?:x-)?api[ -]?key|api key (?:not valid|is invalid|expired|(?:is )?missing)|missing api key|no api key|api_key_invalid|invalid_api_key|unauthori[sz]ed|unauthenticated|authentication(?:[_ ](?:failed|error|required)|error)|please (?:run /login|log ?in|sign ?in)|invalid auth|not signed in|login required|token (?:has )?expired|permission_denied|missing environment variable|providerautherror|token could not be refreshed|log ?out and (?:log|sign) ?in|no auth type is selected|no models available|no providers? configured|not able to authenticate|free tier has been discontinued)",
      latin());
  static const RE2 limit(
      R"((?i)rate[_ -]?limit|too many requests|quota|usage limit|session limit|weekly limit|hit your (?:usage )?limit|resource_exhausted|insufficient (?:credit|funds|balance)|credit balance|credits? (?:are |is )?exhausted|out of (?:\w+ )?(?:usage|credits)|payment required)",
      latin());
  // Limits of the account or the provider, as opposed to those of the model's window or of the run.
  static const RE2 some_limit(R"((?i)\blimit (?:reached|exceeded))", latin());
  static const RE2 your_limit(R"((?i)(?:hit|reached|exceeded) your (?:[^.\n]{0,40} )?limit)", latin());
  static const RE2 account_limit(
      R"((?i)\b(?:rate|usage|requests?|quota|session|weekly|5-hour|hourly|spend(?:ing)?|monthly|daily|messages?|credits?|plan|account|opus|sonnet|haiku|tokens?\b.{0,20}\bper\b)\b.{0,20}\blimit)",
      latin());
  static const RE2 run_limit(R"((?i)\b(?:context|tokens?|turns?|iterations?|steps?|output)\b.{0,20}\blimit)",
                             latin());
  static const RE2 provider(
      R"((?i)overloaded|high demand|at capacity|stream disconnected|connection (?:was )?(?:failed|error|refused|reset|closed|timed out)|waiting for network|error sending request|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|network error|fetch failed|socket hang up|service.{0,3}unavailable|internal(?: \w+)? error|internalservererror|apiconnectionerror|bad gateway|gateway timeout|timed? ?out|getaddrinfo|incomplete json segment|unexpected eof|(?:reading a|decoding response) body|broken pipe|other side closed|premature close|(?:cannot|unable to|could not) connect|connection lost|stream (?:ended|closed)|(?:^|api error: )terminated\b)",
      latin());
  const auto limited = [&] {
    if (found(text, limit)) return true;
    const bool some = found(text, some_limit), yours = found(text, your_limit);
    if (!some && !yours) return false;
    return found(text, account_limit) || (yours && !found(text, run_limit));
  };
  const auto by_word = classify_word(word);
  if (!status && by_word) return *by_word;
  if (!status) status = status_in_text(text);
  if (status) {
    const auto by_status = classify_status(*status);
    // Some providers answer a bad key or an empty account with 400.
    if (by_status != ErrorClass::agent_error || *status == 404) return by_status;
    if (found(text, auth)) return ErrorClass::auth;
    if (limited()) return ErrorClass::rate_limit;
    return by_word.value_or(by_status);
  }
  if (found(text, auth)) return ErrorClass::auth;
  if (limited()) return ErrorClass::rate_limit;
  if (found(text, provider)) return ErrorClass::provider;
  return ErrorClass::agent_error;
}

std::optional<SetupProblem> setup_problem(std::string_view stderr_tail) {
  static const RE2 auth(
      R"((?i)not logged in|not signed in|please (?:log ?in|sign ?in)|login required|no api key|no auth provided|authentication failed|authentication required|invalid auth method|missing environment variable|invalid api key|api key (?:is )?(?:missing|not set|required|invalid)|_API_KEY\b.{0,30}(?:not set|missing|required)|no auth type is selected|no models available|no providers? configured|log ?out and (?:log|sign) ?in)",
      latin());
  static const RE2 refusal(
      R"((?i)not running in a trusted directory|workspace trust required|not inside a trusted directory|cannot be used with root|requires --verbose|unexpected argument|unknown (?:arguments?|options?)|unrecognized (?:arguments?|options?)|unknown flag|cannot find module|no such (?:option|command)|invalid choice|unsupported (?:node|engine)|requires node)",
      latin());
  if (auto line = line_with(stderr_tail, auth); !line.empty()) return SetupProblem{ErrorClass::auth, line};
  if (auto line = line_with(stderr_tail, refusal); !line.empty())
    return SetupProblem{ErrorClass::launch_error, line};
  return std::nullopt;
}

}  // namespace hydra::adapters
