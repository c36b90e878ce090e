#include "adapters/judge_answer.hpp"

#include "base/strings.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace hydra::adapters {
namespace {

using nlohmann::json;

constexpr std::size_t kMostReason = 300;  // columns

/// Returns the text from the last '{' at the start of a line, without a closing Markdown fence.
std::string_view last_object(std::string_view text) {
  text = trim(text);
  if (text.ends_with("```")) text = trim(text.substr(0, text.size() - 3));
  auto begin = text.rfind("\n{");
  if (begin == std::string_view::npos) return text.starts_with('{') ? text : std::string_view();
  return text.substr(begin + 1);
}

/// Returns the reason why the answer does not count; empty: valid.
std::string invalid_because(const json& answer, std::string_view nonce) {
  if (!answer.is_object()) return "malformed";
  const auto score = answer.find("score"), given = answer.find("nonce"), reason = answer.find("reason");
  if (score == answer.end() || !score->is_number()) return "wrong_shape";
  if (reason != answer.end() && !reason->is_string()) return "wrong_shape";
  if (given == answer.end() || !given->is_string() || given->get<std::string>() != nonce)
    return "wrong_nonce";
  const auto value = score->get<double>();
  return std::isfinite(value) && value >= 0 && value <= 1 ? "" : "out_of_range";
}

}  // namespace

void read_judgement(std::string_view output, std::string_view nonce, model::Judgement& judgement) {
  if (trim(output).empty()) {
    judgement.invalid = "no_answer";
    return;
  }
  const auto text = last_object(output);
  if (text.empty()) {
    judgement.invalid = "prose";
    return;
  }
  const auto answer = json::parse(text, nullptr, false);
  judgement.invalid = invalid_because(answer, nonce);
  if (!judgement.invalid.empty()) return;
  judgement.score = answer["score"].get<double>();
  if (const auto reason = answer.find("reason"); reason != answer.end())
    judgement.reason = ellipsize(sanitize(to_utf8(reason->get<std::string>())), kMostReason);
}

}  // namespace hydra::adapters
