#include "race/agents/secrets.hpp"

#include "adapters/sign_in_text.hpp"
#include "model/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace hydra;
using race::begun_secret;
using race::Secrets;
using race::secrets_of;
using race::without_secrets;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

model::RaceSpec spec_with(const std::string& id, std::vector<std::string> auth_env) {
  model::RaceSpec spec;
  spec.id = id;
  spec.config.agents["mine"].auth_env = std::move(auth_env);
  return spec;
}

/// Their names, each once, in their order.
std::vector<std::string> names_of(const Secrets& secrets) {
  std::vector<std::string> names;
  for (const auto& [value, name] : secrets)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

bool holds(const Secrets& secrets, const std::string& value) {
  return std::any_of(secrets.begin(), secrets.end(), [&](const auto& each) { return each.first == value; });
}

TEST(Secrets, AreThoseOfTheDescriptorAndThoseThatSaySo) {
  const auto spec = spec_with("r1", {"ACME_LOGIN"});
  const auto secrets = secrets_of(spec, {{"ACME_LOGIN", "hunter2hunter2"},
                                         {"OTHER_API_KEY", "key-0123456789abcdef"},
                                         {"COLORTERM", "truecolor-0123"},
                                         {"https_proxy", "http://me:word@proxy:1"},
                                         {"SHORT_KEY", "1234567"}});
  EXPECT_THAT(names_of(secrets), UnorderedElementsAre("https_proxy", "OTHER_API_KEY", "ACME_LOGIN"));
  for (const char* value : {"http://me:word@proxy:1", "key-0123456789abcdef", "hunter2hunter2"})
    EXPECT_TRUE(holds(secrets, value)) << value;
  EXPECT_TRUE(std::is_sorted(secrets.begin(), secrets.end(),
                             [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); }));
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
  race::KnownSecrets known;
  EXPECT_THAT(known.of_race(spec, {}), IsEmpty());
  known.remember(spec, {{"ACME_API_KEY", "s3cr3t-value-1"}});
  EXPECT_TRUE(holds(known.of_race(spec, {}), "s3cr3t-value-1"));
  EXPECT_THAT(known.of_race(spec_with("other", {"ACME_API_KEY"}), {}), IsEmpty());
}

// Expected texts come from coreutils' base64 and from RFC 3986: none was taken from this program.
TEST(Secrets, EncodedValuesAreTakenOutToo) {
  const auto spec = spec_with("r1", {"ACME_API_KEY"});
  const auto secrets = secrets_of(spec, {{"ACME_API_KEY", "sk-Zz9/+?value:0123456789"}});
  struct Row {
    const char* text;
    const char* whole;  ///< must be gone
  };
  const Row rows[] = {
      {"base64: c2stWno5Lys/dmFsdWU6MDEyMzQ1Njc4OQ==", "c2stWno5Lys/dmFsdWU6MDEyMzQ1Njc4O"},
      // "x" and "xx" before it, and "!" behind it
      {"eHNrLVp6OS8rP3ZhbHVlOjAxMjM0NTY3ODkh", "LVp6OS8rP3ZhbHVlOjAxMjM0NTY3"},
      {"eHhzay1aejkvKz92YWx1ZTowMTIzNDU2Nzg5IQ==", "ay1aejkvKz92YWx1ZTowMTIzNDU2Nzg"},
      {"url: c2stWno5Lys_dmFsdWU6MDEyMzQ1Njc4OQ", "c2stWno5Lys_dmFsdWU6MDEyMzQ1Njc4O"},
      {"?key=sk-Zz9%2F%2B%3Fvalue%3A0123456789&x", "%2B%3Fvalue"},
      {"?key=sk-Zz9%2f%2b%3fvalue%3a0123456789&x", "%2b%3fvalue"},
  };
  for (const auto& row : rows) {
    const auto clean = without_secrets(row.text, secrets);
    EXPECT_THAT(clean, HasSubstr("[redacted ACME_API_KEY]")) << row.text;
    EXPECT_THAT(clean, Not(HasSubstr(row.whole))) << row.text;
    EXPECT_THAT(clean, Not(HasSubstr("dmFsdWU6MDEyMz"))) << row.text;
    EXPECT_THAT(race::secrets_in(row.text, secrets), ElementsAre("ACME_API_KEY")) << row.text;
  }
  EXPECT_EQ(without_secrets("c2stWno5 is no key", secrets), "c2stWno5 is no key");
}

TEST(Secrets, StandInSignInFiles) {
  EXPECT_THAT(adapters::secret_values_of(
                  R"({"tokens": {"access_token": "at-0123456789abcdef", "id": "0123456789abcdefgh"},
                      "claudeAiOauth": {"refreshToken": "rt-0123456789abcdef", "expiresAt": 1234567890123456789},
                      "OPENAI_API_KEY": "sk-0123456789abcdef", "short_token": "0123", "note": "a long text here"})"),
              UnorderedElementsAre("at-0123456789abcdef", "rt-0123456789abcdef", "sk-0123456789abcdef"));
  EXPECT_THAT(
      adapters::secret_values_of("# x\nexport A_TOKEN='at-0123456789abcdef'\nmodel = \"0123456789abcdefgh\"\n"
                                 "api_key: sk-0123456789abcdef\n"),
      ElementsAre("at-0123456789abcdef", "sk-0123456789abcdef"));
  EXPECT_THAT(adapters::secret_values_of(R"({"apiKeyHelper": "/usr/local/bin/key-helper",
                                         "token_uri": "https://example.org/oauth2/token"})"),
              IsEmpty());
  EXPECT_THAT(adapters::secret_values_of(std::string(200000, '[')), IsEmpty());
  EXPECT_THAT(adapters::secret_values_of(""), IsEmpty());
}

TEST(Secrets, OfTheConfigurationAreKnownAfterARestart) {
  auto spec = spec_with("configured", {});
  spec.config.agents["mine"].env = {{"MY_API_KEY", "literal-0123456789"}, {"OTHER_TOKEN", "{session_uuid}"}};
  const auto secrets = race::KnownSecrets().of_race(spec, {});
  EXPECT_TRUE(holds(secrets, "literal-0123456789"));
  EXPECT_FALSE(holds(secrets, "{session_uuid}"));
}

// An event tells of each name only what the one before it does not have.
TEST(Secrets, AreNotInNamesOfTestsThatBeginAlike) {
  const std::string key = "s3cr3t-value-1";
  model::CheckEnded check;
  check.subject = model::Subject::of("a");
  check.evidence.tests.emplace().tests = {{"test[s3cr3t-value-0]", model::TestStatus::passed},
                                          {"test[" + key + "]", model::TestStatus::failed}};
  auto clean = race::without_secrets(check, {{key, "K"}});
  EXPECT_TRUE(model::tests_in(clean)->contains("test[[redacted K]]"));
  EXPECT_TRUE(model::tests_in(clean)->contains("test[s3cr3t-value-0]"));
  EXPECT_FALSE(model::tests_in(clean)->contains("test[" + key + "]"));
}

// Every kind of event that carries foreign text is cleaned; names that the race goes by stay as they were.
TEST(Secrets, AreNotInEvents) {
  const std::string key = "s3cr3t-value-1";
  const Secrets secrets{{key, "K"}};
  model::AgentEnded ended;
  ended.agent = "s3cr3t-value-1";  // a name that looks like it
  ended.verdict.message = "401: " + key;
  ended.verdict.final_text = "my key is " + key;
  ended.verdict.session = key;
  model::CheckEnded check;
  check.subject = model::Subject::of("a");
  check.evidence.message = key;
  check.evidence.tests = model::TestReport{};
  check.evidence.tests->tests.push_back({"test_" + key, model::TestStatus::passed});
  check.evidence.lint = model::LintReport{};
  check.evidence.lint->findings.push_back({});
  check.evidence.lint->findings.back().message = key;
  model::Captured captured;
  captured.agent = "a";
  captured.capture.commit = "0123456789abcdef";
  captured.capture.warnings = {key};
  captured.capture.left_out.push_back({"dir/" + key, 1, model::LeftReason::no_file});
  model::Inspected inspected;
  inspected.integrity.findings.push_back({"forced_exit", model::Severity::block, key + ".py", 1, "r", key});
  const model::EventBody bodies[] = {
      ended,
      check,
      captured,
      inspected,
      model::Note{model::subject_of("a"), key},
      model::WorkspaceFailed{"a", key},
      model::CaptureFailed{"a", key},
      model::MergeRefused{"a", key, true},
      model::SubjectFailed{model::subject_of("a"), key, "", {}},
      model::StopRequested{"a", model::StopReason::auth, model::ErrorClass::auth, key, key},
      model::RaceFailed{key}};
  for (const auto& body : bodies) {
    const auto clean = race::without_secrets(body, secrets);
    auto text = model::to_json(clean);
    EXPECT_THAT(text, HasSubstr("[redacted K]")) << text;
    EXPECT_EQ(model::kind(clean), model::kind(body));
    if (const auto* agent = std::get_if<model::AgentEnded>(&clean)) {
      EXPECT_EQ(agent->agent, "s3cr3t-value-1");
      EXPECT_EQ(agent->verdict.message, "401: [redacted K]");
      EXPECT_EQ(agent->verdict.final_text, "my key is [redacted K]");
    } else {
      EXPECT_THAT(text, Not(HasSubstr(key))) << text;
    }
  }
  // The task is what the agents are asked; it is the user's own.
  model::RaceCreated created;
  created.spec.task = "use " + key;
  EXPECT_EQ(std::get<model::RaceCreated>(race::without_secrets(created, secrets)).spec.task, "use " + key);
}

}  // namespace
