// Every key of the table reaches its member, and every member the daemon.
#include "config/schema.hpp"

#include "model/json_value.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>
#include <type_traits>
#include <variant>

namespace hydra::config {
namespace {

/// Gives a member another value.
struct Change {
  void operator()(bool* member) const { *member = !*member; }
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void operator()(T* member) const {
    *member += 1;
  }
  void operator()(std::string* member) const { *member += "x"; }
  void operator()(std::optional<std::string>* member) const { *member = member->value_or("") + "x"; }
  void operator()(std::optional<double>* member) const { *member = member->value_or(0) + 1; }
  void operator()(std::map<std::string, std::string>* member) const { (*member)["X"] = "y"; }
  void operator()(std::map<int, std::string>* member) const { (*member)[7] = "auth"; }
  void operator()(std::vector<std::string>* member) const { member->emplace_back("x"); }
  void operator()(std::vector<int>* member) const { member->push_back(7); }
  template <class T>
  void operator()(std::vector<T>* member) const {
    member->emplace_back();
  }
  void operator()(model::JsonWhen* member) const { member->emplace_back(); }
  void operator()(const Choice& choice) const {
    choice.set(choice.member, (choice.get(choice.member) + 1) % static_cast<int>(choice.names.size()));
  }
};

template <class Root>
void expect_all_sent(std::span<const Key<Root>> keys, const std::function<Root&(model::Config&)>& root) {
  model::Config plain;
  (void)root(plain);
  const auto before = model::config_value(plain);
  std::set<std::string> seen;
  for (const auto& key : keys) {
    const std::string path(key.path);
    if (path.starts_with("standings.") || path.starts_with("reward."))
      continue;  // read by the command line alone
    auto changed = plain;
    std::visit(Change{}, key.at(root(changed)));
    const auto sent = model::config_value(changed);
    EXPECT_NE(sent, before) << path << " does not reach the daemon";
    EXPECT_TRUE(seen.insert(sent.dump()).second) << path << " has the member of another key";
    const auto back = model::config_of(sent);
    ASSERT_TRUE(back.ok()) << path;
    EXPECT_EQ(model::config_value(*back), sent) << path << " is written, but not read";
  }
}

// A key needs a user who can be named.
TEST(Schema, HasFewKeys) { EXPECT_LE(config_keys().size() + judge_keys().size(), 90u); }

TEST(Schema, EveryKeyReachesTheDaemon) {
  expect_all_sent<model::Config>(
      config_keys(), [](auto& config) -> auto& { return config; });
  expect_all_sent<model::AgentDescriptor>(
      agent_keys(), [](auto& config) -> auto& { return config.agents["a"]; });
  expect_all_sent<model::Price>(
      price_keys(), [](auto& config) -> auto& { return config.prices["m"]; });
  expect_all_sent<model::JudgeConfig>(
      judge_keys(), [](auto& config) -> auto& {
        if (config.judges.empty()) config.judges.emplace_back();
        return config.judges.front();
      });
  expect_all_sent<model::UsageRule>(
      usage_keys(), [](auto& config) -> auto& {
        auto& rules = config.agents["a"].stream.usage_fallbacks;
        if (rules.empty()) rules.emplace_back();
        return rules.front();
      });
}

}  // namespace
}  // namespace hydra::config
