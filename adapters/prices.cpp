// adapters: cost of tokens by the price table, always marked as estimated.
#include "adapters/adapters.hpp"
#include "adapters/embedded.hpp"
#include "base/strings.hpp"
#include "config/config.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace hydra::adapters {
namespace {

bool digits(std::string_view text) { return !text.empty() && parse_int(text).has_value(); }

/// Removes the date or suffix: "claude-sonnet-4-5-20250929", "gpt-5-2025-08-07", "name@20250929", "name[1m]".
std::string_view without_date(std::string_view model) {
  if (const auto at = model.find_first_of("@["); at != std::string_view::npos) model = model.substr(0, at);
  const auto cut = [&](std::size_t length) {
    return model.size() > length + 1 && model[model.size() - length - 1] == '-'
               ? model.substr(model.size() - length)
               : std::string_view();
  };
  if (digits(cut(8))) return model.substr(0, model.size() - 9);
  const auto iso = cut(10);
  if (iso.size() == 10 && iso[4] == '-' && iso[7] == '-' && digits(iso.substr(0, 4)) &&
      digits(iso.substr(5, 2)) && digits(iso.substr(8)))
    return model.substr(0, model.size() - 11);
  return model;
}

}  // namespace

const PriceTable& builtin_prices() {
  static const auto table = [] {
    const auto loaded = config::load({{kPrices[0].name, kPrices[0].text}}, {});
    if (!loaded.errors.empty()) {
      // Built-in prices are covered by a test, so an error means a broken build.
      fmt::print(stderr, "hydra: built-in prices: {}\n", describe(loaded.errors.front()));
      std::abort();
    }
    return PriceTable(loaded.config.prices.begin(), loaded.config.prices.end());
  }();
  return table;
}

PriceTable prices(const model::Config& config) {
  PriceTable table = builtin_prices();
  for (const auto& [model, price] : config.prices) table[model] = price;
  return table;
}

const model::Price* find_price(const PriceTable& table, std::string_view model) {
  for (;;) {
    for (const auto name : {model, without_date(model)})
      if (const auto it = table.find(name); it != table.end()) return &it->second;
    const auto slash = model.find('/');
    if (slash == std::string_view::npos) return nullptr;
    model.remove_prefix(slash + 1);
  }
}

void estimate_cost(model::Usage& usage, std::string_view model, const PriceTable& table) {
  // A cost needs both input and output tokens; zero tokens cost nothing.
  if (usage.cost_usd.value_or(0) > 0 || !usage.input || !usage.output || all_tokens(usage) == 0) return;
  const auto* price = find_price(table, model);
  if (price == nullptr) {
    usage.cost_usd.reset();  // the program reported 0 because it has no price either
    return;
  }
  const auto part = [](const std::optional<std::int64_t>& tokens, double per_million) {
    return static_cast<double>(tokens.value_or(0)) * per_million / 1e6;
  };
  usage.cost_usd = part(usage.input, price->input) + part(usage.output, price->output) +
                   part(usage.cache_read, price->cache_read.value_or(price->input)) +
                   part(usage.cache_write, price->cache_write.value_or(price->input));
  usage.estimated = true;
}

}  // namespace hydra::adapters
