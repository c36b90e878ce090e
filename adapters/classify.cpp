#include "adapters/classify.hpp"

#include "adapters/tally.hpp"
#include "base/strings.hpp"

namespace hydra::adapters {

using model::ErrorClass;

namespace {

std::string line_with(std::string_view text, const std::unique_ptr<RE2>& re) {
  for (const auto line : lines(text))
    if (matches(re, line)) return sanitize(trim(line.substr(0, 300)));
  return {};
}

/// Returns the class of an agent's own word for an error ("authentication", "rate_limit_error"); nullopt:
/// unknown word.
std::optional<ErrorClass> classify_word(std::string_view word) {
  static const auto auth = pattern(R"((?i)auth|permission|api.?key|credential|forbidden|login)");
  static const auto limit =
      pattern(R"((?i)rate.?limit|too.?many|quota|usage.?limit|billing|credit|payment|exhausted|throttl)");
  static const auto provider = pattern(
      R"((?i)network|server|overload|timeout|connection|unavailable|\bprovider\b|provider.?error|upstream)");
  if (word.empty()) return std::nullopt;
  if (matches(auth, word)) return ErrorClass::auth;
  if (matches(limit, word)) return ErrorClass::rate_limit;
  if (matches(provider, word)) return ErrorClass::provider;
  return std::nullopt;
}

}  // namespace

std::optional<int> status_in_text(std::string_view text) {
  static const auto named =
      pattern(R"((?i)(?:status(?:\s*code)?|"?code"?|HTTP(?:/[\d.]+)?|API Error)["':\s=]*([45]\d\d)\b)");
  // A number in parentheses counts only after a word of errors, since it may count turns, bytes or files.
  static const auto in_parentheses = pattern(
      R"((?i)\b(?:status|HTTP|error|code|unauthorized|forbidden|requests|unavailable|gateway|timeout)\W{0,3}(?:\w+\W){0,2}\(([45]\d\d)\))");
  static const auto worded = pattern(
      R"((?i)\b([45]\d\d) (?:Unauthorized|Forbidden|Payment Required|Too Many Requests|Bad Request|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Timeout))");
  static const auto leading = pattern(R"(^\W{0,3}([45]\d\d)\b)");
  for (const auto* re : {&leading, &named, &in_parentheses, &worded})
    if (const auto status = first_group(*re, text); !status.empty())
      return static_cast<int>(*parse_int(status));
  return std::nullopt;
}

ErrorClass classify_status(int status) {
  if (status == 401 || status == 403) return ErrorClass::auth;
  if (status == 402 || status == 429) return ErrorClass::rate_limit;
  if (status >= 500 || status == 408) return ErrorClass::provider;
  return ErrorClass::agent_error;
}

ErrorClass classify_error(std::optional<int> status, std::string_view text, std::string_view word) {
  static const auto auth = pattern(
      R"((?i)not logged in|(?:invalid|incorrect|wrong) (?:x-)?api[ -]?key|api key (?:not valid|is invalid|expired|(?:is )?missing)|missing api key|no api key|api_key_invalid|invalid_api_key|unauthori[sz]ed|unauthenticated|authentication(?:[_ ](?:failed|error|required)|error)|please (?:run /login|log ?in|sign ?in)|invalid auth|not signed in|login required|token (?:has )?expired|permission_denied|missing environment variable|providerautherror|token could not be refreshed|log ?out and (?:log|sign) ?in|no auth type is selected|no models available|no providers? configured|not able to authenticate|free tier has been discontinued)");
  static const auto limit = pattern(
      R"((?i)rate[_ -]?limit|too many requests|quota|usage limit|session limit|weekly limit|hit your (?:usage )?limit|resource_exhausted|insufficient (?:credit|funds|balance)|credit balance|credits? (?:are |is )?exhausted|out of (?:\w+ )?(?:usage|credits)|payment required)");
  // Limits of the account or provider, unlike limits of the model's window or of the run.
  static const auto some_limit = pattern(R"((?i)\blimit (?:reached|exceeded))");
  static const auto your_limit = pattern(R"((?i)(?:hit|reached|exceeded) your (?:[^.\n]{0,40} )?limit)");
  static const auto account_limit = pattern(
      R"((?i)\b(?:rate|usage|requests?|quota|session|weekly|5-hour|hourly|spend(?:ing)?|monthly|daily|messages?|credits?|plan|account|opus|sonnet|haiku|tokens?\b.{0,20}\bper\b)\b.{0,20}\blimit)");
  static const auto run_limit =
      pattern(R"((?i)\b(?:context|tokens?|turns?|iterations?|steps?|output)\b.{0,20}\blimit)");
  static const auto provider = pattern(
      R"((?i)overloaded|high demand|at capacity|stream disconnected|connection (?:was )?(?:failed|error|refused|reset|closed|timed out)|waiting for network|error sending request|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|network error|fetch failed|socket hang up|service.{0,3}unavailable|internal(?: \w+)? error|internalservererror|apiconnectionerror|bad gateway|gateway timeout|timed? ?out|getaddrinfo|incomplete json segment|unexpected eof|(?:reading a|decoding response) body|broken pipe|other side closed|premature close|(?:cannot|unable to|could not) connect|connection lost|stream (?:ended|closed)|(?:^|api error: )terminated\b)");
  const auto limited = [&] {
    if (matches(limit, text)) return true;
    const bool some = matches(some_limit, text), yours = matches(your_limit, text);
    if (!some && !yours) return false;
    return matches(account_limit, text) || (yours && !matches(run_limit, text));
  };
  const auto by_word = classify_word(word);
  if (!status && by_word) return *by_word;
  if (!status) status = status_in_text(text);
  if (status) {
    const auto by_status = classify_status(*status);
    // Some providers answer a bad key or an empty account with 400, so the text may override the status.
    if (by_status != ErrorClass::agent_error || *status == 404) return by_status;
    if (matches(auth, text)) return ErrorClass::auth;
    if (limited()) return ErrorClass::rate_limit;
    return by_word.value_or(by_status);
  }
  if (matches(auth, text)) return ErrorClass::auth;
  if (limited()) return ErrorClass::rate_limit;
  if (matches(provider, text)) return ErrorClass::provider;
  return ErrorClass::agent_error;
}

std::optional<SetupProblem> setup_problem(std::string_view stderr_tail) {
  static const auto auth = pattern(
      R"((?i)not logged in|not signed in|please (?:log ?in|sign ?in)|login required|no api key|no auth provided|authentication failed|authentication required|invalid auth method|missing environment variable|invalid api key|api key (?:is )?(?:missing|not set|required|invalid)|_API_KEY\b.{0,30}(?:not set|missing|required)|no auth type is selected|no models available|no providers? configured|log ?out and (?:log|sign) ?in)");
  static const auto refusal = pattern(
      R"((?i)not running in a trusted directory|workspace trust required|not inside a trusted directory|cannot be used with root|requires --verbose|unexpected argument|unknown (?:arguments?|options?)|unrecognized (?:arguments?|options?)|unknown flag|cannot find module|no such (?:option|command)|invalid choice|unsupported (?:node|engine)|requires node)");
  if (auto line = line_with(stderr_tail, auth); !line.empty()) return SetupProblem{ErrorClass::auth, line};
  if (auto line = line_with(stderr_tail, refusal); !line.empty())
    return SetupProblem{ErrorClass::launch_error, line};
  return std::nullopt;
}

}  // namespace hydra::adapters
