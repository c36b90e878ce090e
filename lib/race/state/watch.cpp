#include "race/state/watch.hpp"

#include "adapters/classify.hpp"
#include "base/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::race {

using model::StopReason;

namespace {

constexpr double kDefaultIdleSeconds = 900;
/// Time in which an agent that asked for a sign-in may still begin without one.
constexpr double kSignInSeconds = 30;
constexpr double kOpenTasksSeconds = 600;  ///< for work in the background after an agent's end

std::string grouped(std::int64_t number) {
  auto text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

bool names_cost(const model::StreamRules& rules) {
  const auto named = [](const model::UsageRule& rule) { return !rule.cost_usd.empty(); };
  return named(rules.usage) || named(rules.usage_file.rule) || named(rules.usage_log.rule) ||
         std::any_of(rules.usage_fallbacks.begin(), rules.usage_fallbacks.end(), named) ||
         rules.text.usage.find("<cost>") != std::string::npos;
}

/// Returns whether usage is reported only at the run's end.
bool counts_at_end(const model::StreamRules& rules) {
  using model::StreamFormat;
  const auto& file = rules.usage_file;
  const bool read_along = !rules.usage_log.path.empty() ||
                          (!file.path.empty() && (file.live || file.format == StreamFormat::jsonl));
  if (rules.format == StreamFormat::text || read_along) return false;
  if (rules.format == StreamFormat::json_whole || rules.format == StreamFormat::json_last) return true;
  const auto same = [](const model::JsonWhen& a, const model::JsonWhen& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.pointer == y.pointer && x.equals == y.equals;
    });
  };
  const auto at_end = [&](const model::UsageRule& rule) {
    return rule.mode == model::UsageMode::none ||
           (!rules.terminal_when.empty() && same(rule.when, rules.terminal_when));
  };
  return at_end(rules.usage) &&
         std::all_of(rules.usage_fallbacks.begin(), rules.usage_fallbacks.end(), at_end);
}

}  // namespace

Budget budget_of(const State& state, const AgentState& agent) {
  const auto& limits = state.spec.config.limits;
  Budget budget{limits.budget_usd, limits.budget_tokens};
  if (agent.retry && agent.retry->budget_usd) budget.usd = *agent.retry->budget_usd;
  if (agent.retry && agent.retry->budget_tokens) budget.tokens = *agent.retry->budget_tokens;
  return budget;
}

Budget race_budget_of(const State& state) {
  return {state.spec.config.limits.race_budget_usd, state.spec.config.limits.race_budget_tokens};
}

Spent spent(const model::Usage& usage) {
  return {adapters::counted_tokens(usage).value_or(0), usage.cost_usd.value_or(0), usage.estimated};
}

std::string money(double usd, bool estimated) {
  const auto text =
      usd != 0 && std::abs(usd) < 0.1 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
  return estimated ? "about " + text : text;
}

std::string tokens_text(std::int64_t tokens) { return grouped(tokens) + " tokens"; }

std::optional<std::string> over(const Budget& budget, const Spent& spent) {
  if (budget.usd > 0 && spent.usd >= budget.usd)
    return fmt::format("budget of {} reached at {}{}", money(budget.usd), money(spent.usd, spent.estimated),
                       spent.estimated ? " (estimated from the price table)" : "");
  if (budget.tokens > 0 && spent.tokens >= static_cast<std::int64_t>(budget.tokens))
    return fmt::format("budget of {} reached at {}", tokens_text(static_cast<std::int64_t>(budget.tokens)),
                       tokens_text(spent.tokens));
  return std::nullopt;
}

std::string unpriced(const State& state, const AgentState& agent, const model::Usage& usage,
                     const std::string& model, const adapters::PriceTable& prices, bool at_end) {
  const auto budget = budget_of(state, agent);
  const auto race = race_budget_of(state);
  if ((budget.usd <= 0 && race.usd <= 0) || usage.cost_usd) return {};
  const auto what =
      fmt::format("the budget of {} can't be applied to it: ", money(budget.usd > 0 ? budget.usd : race.usd));
  const char* instead = "a token budget (--budget-tokens) can";
  const auto tokens = adapters::counted_tokens(usage);
  if (!tokens)
    return at_end ? what + "its output names neither tokens nor a cost; --timeout limits it" : std::string();
  const auto& descriptor = state.spec.config.agents.at(agent.entry.id);
  const bool priced = adapters::find_price(prices, model) != nullptr;
  if (priced || (!at_end && names_cost(descriptor.stream))) {
    // Incomplete numbers give no price, and only the end shows that the rest never came.
    return at_end && *tokens > 0 ? what + "its output does not say enough for a cost; " + instead
                                 : std::string();
  }
  if (model.empty())
    return what + "it names no cost and its model is not known; name the model (NAME=MODEL), or " + instead;
  return fmt::format("{}it names no cost and the price of '{}' is not known; set [prices.\"{}\"], or {}",
                     what, model, model, instead);
}

std::vector<std::string> budget_warnings(const model::RaceSpec& spec) {
  const auto& limits = spec.config.limits;
  const bool usd = limits.budget_usd > 0 || limits.race_budget_usd > 0;
  const bool tokens = limits.budget_tokens > 0 || limits.race_budget_tokens > 0;
  std::vector<std::string> warnings;
  if (!usd && !tokens) return warnings;
  const auto prices = adapters::prices(spec.config);
  for (const auto& agent : spec.agents) {
    const auto& rules = spec.config.agents.at(agent.id).stream;
    const bool counts = rules.usage.mode != model::UsageMode::none || !rules.usage_fallbacks.empty() ||
                        !rules.usage_file.path.empty() || !rules.usage_log.path.empty() ||
                        !rules.text.usage.empty();
    if (!counts)
      warnings.push_back(agent.name +
                         ": no budget can be applied to it, its output names neither tokens nor a cost; "
                         "--timeout limits it");
    else if (counts_at_end(rules))
      warnings.push_back(agent.name +
                         ": a budget can't stop it, its output says only at its end what it used; "
                         "--timeout limits it");
    if (counts && usd && !names_cost(rules) && !agent.model.empty() &&
        adapters::find_price(prices, agent.model) == nullptr)
      warnings.push_back(
          fmt::format("{0}: the dollar budget can't be applied to it, the price of '{1}' is not known; set "
                      "[prices.\"{1}\"], or --budget-tokens",
                      agent.name, agent.model));
  }
  return warnings;
}

double idle_limit(const model::LimitsConfig& limits, const model::AgentDescriptor& descriptor) {
  using model::StreamFormat;
  const auto format = descriptor.stream.format;
  // These formats report everything at their end.
  if (format == StreamFormat::json_whole || format == StreamFormat::json_last) return 0;
  if (limits.idle_timeout) return *limits.idle_timeout;
  return format == StreamFormat::jsonl ? kDefaultIdleSeconds : 0;
}

std::optional<model::StopRequested> Watch::look(const adapters::StreamReader::View& view, std::int64_t now_ms,
                                                const Limits& limits) {
  const auto step = seen_ ? std::clamp<std::int64_t>(now_ms - last_ms_, 0, kLongestStep) : 0;
  const auto tokens = view.tokens.value_or(0), turn = view.turn.value_or(0);
  const bool moved = !seen_ || view.progress != progress_ || tokens != tokens_ || turn != turn_;
  seen_ = true;
  last_ms_ = now_ms;
  progress_ = view.progress;
  tokens_ = tokens;
  turn_ = turn;
  silent_ms_ = moved ? 0 : silent_ms_ + step;
  asking_ms_ = view.asks_sign_in ? asking_ms_ + step : 0;
  leaving_ms_ = view.terminal && !moved ? leaving_ms_ + step : 0;

  const auto passed = [](std::int64_t ms, double seconds) {
    return static_cast<double>(ms) >= seconds * 1000;
  };
  auto all = spent(view.usage);
  all.tokens += limits.before.tokens;
  all.usd += limits.before.usd;
  all.estimated = all.estimated || limits.before.estimated;
  if (!view.terminal)
    at_end_.reset();
  else if (!at_end_)
    at_end_ = all;
  // Usage reported with the agent's end comes too late for a stop; later usage does not.
  const bool uses = !at_end_ || all.tokens > at_end_->tokens || all.usd > at_end_->usd;
  if (const auto reached = over(limits.budget, all); reached && uses)
    return model::StopRequested{{}, StopReason::budget, {}, "stopped: " + *reached, {}};
  if (view.terminal) {  // the work is done, only the exit is missing
    const bool open = view.open_tasks > 0;
    if (!passed(leaving_ms_, open ? kOpenTasksSeconds : kExitSeconds)) return std::nullopt;
    const auto message =
        open ? fmt::format("stopped: {} in the background {} still running: {}",
                           view.open_tasks == 1 ? "1 command" : fmt::format("{} commands", view.open_tasks),
                           view.open_tasks == 1 ? "was" : "were", view.open_name)
             : std::string("it had reported its end and did not exit");
    return model::StopRequested{{}, StopReason::finished, {}, message, {}};
  }
  if (passed(asking_ms_, kSignInSeconds))
    return model::StopRequested{
        {}, StopReason::auth, model::ErrorClass::auth, "stopped: it waits for a sign-in", {}};
  if (adapters::refused_for_good(view))
    return model::StopRequested{
        {},
        StopReason::auth,
        model::ErrorClass::auth,
        fmt::format("stopped: its provider refused it {} times in a row{}", view.auth_retries,
                    view.retry_status ? fmt::format(" with status {}", *view.retry_status) : std::string()),
        {}};
  if (limits.idle_seconds > 0 && passed(silent_ms_, limits.idle_seconds)) {
    const auto length = format_duration(static_cast<std::int64_t>(limits.idle_seconds * 1000));
    model::StopRequested stop{
        {}, StopReason::idle, model::ErrorClass::none, "stopped: no progress for " + length, {}};
    if (view.retries > 0) {
      const auto status = view.retry_status ? fmt::format(", status {}", *view.retry_status) : std::string();
      stop.error_class =
          view.retry_status ? adapters::classify_status(*view.retry_status) : model::ErrorClass::provider;
      stop.message +=
          fmt::format(" but {} retried model call{}{}", view.retries, view.retries == 1 ? "" : "s", status);
    }
    return stop;
  }
  return std::nullopt;
}

}  // namespace hydra::race
