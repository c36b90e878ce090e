#include "race/secrets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace hydra;
using race::begun_secret;
using race::Secrets;
using race::secrets_of;
using race::without_secrets;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

model::RaceSpec spec_with(const std::string& id, std::vector<std::string> auth_env) {
  model::RaceSpec spec;
  spec.id = id;
  spec.config.agents["mine"].auth_env = std::move(auth_env);
  return spec;
}

TEST(Secrets, AreThoseOfTheDescriptorAndThoseThatSaySo) {
  const auto spec = spec_with("r1", {"ACME_LOGIN"});
  EXPECT_THAT(
      secrets_of(spec, {{"ACME_LOGIN", "hunter2hunter2"},
                        {"OTHER_API_KEY", "key-0123456789abcdef"},
                        {"COLORTERM", "truecolor-0123"},
                        {"https_proxy", "http://me:word@proxy:1"},
                        {"SHORT_KEY", "1234567"}}),
      ElementsAre(Pair("http://me:word@proxy:1", "https_proxy"),
                  Pair("key-0123456789abcdef", "OTHER_API_KEY"), Pair("hunter2hunter2", "ACME_LOGIN")));
}

TEST(Secrets, ValuesAreTakenOutOfTexts) {
  const auto spec = spec_with("r1", {"ACME_API_KEY", "PEM_KEY"});
  const auto secrets =
      secrets_of(spec, {{"ACME_API_KEY", "s3cr3t-value-1"}, {"PEM_KEY", "first line\nsecond \"line\""}});
  EXPECT_EQ(without_secrets("the key is s3cr3t-value-1, s3cr3t-value-1!", secrets),
            "the key is [redacted ACME_API_KEY], [redacted ACME_API_KEY]!");
  EXPECT_EQ(without_secrets(R"({"text":"first line\nsecond \"line\""})", secrets),
            R"({"text":"[redacted PEM_KEY]"})");
  EXPECT_EQ(without_secrets("nothing", secrets), "nothing");
  EXPECT_EQ(without_secrets("", secrets), "");
}

TEST(Secrets, OneThatHoldsAnotherIsTakenOutFirst) {
  const auto spec = spec_with("r1", {"A", "B"});
  const auto secrets = secrets_of(spec, {{"A", "0123456789"}, {"B", "0123456789-and-more"}});
  EXPECT_EQ(without_secrets("0123456789-and-more 0123456789", secrets), "[redacted B] [redacted A]");
}

TEST(Secrets, TheBeginOfOneAtTheEndIsSeen) {
  const Secrets secrets{{"s3cr3t-value-1", "A"}};
  EXPECT_EQ(begun_secret("line\nthe key is s3cr3t-", secrets), 7U);
  EXPECT_EQ(begun_secret("the key is s3cr3t-value-1", secrets), 0U);
  EXPECT_EQ(begun_secret("s3c", secrets), 3U);
  EXPECT_EQ(begun_secret("", secrets), 0U);
}

TEST(Secrets, ARaceThatHasEndedStillHasThem) {
  const auto spec = spec_with("ended", {"ACME_API_KEY"});
  EXPECT_THAT(race::secrets_of_race(spec, {}), IsEmpty());
  race::remember_secrets(spec, {{"ACME_API_KEY", "s3cr3t-value-1"}});
  EXPECT_THAT(race::secrets_of_race(spec, {}), ElementsAre(Pair("s3cr3t-value-1", "ACME_API_KEY")));
  EXPECT_THAT(race::secrets_of_race(spec_with("other", {"ACME_API_KEY"}), {}), IsEmpty());
}

}  // namespace
