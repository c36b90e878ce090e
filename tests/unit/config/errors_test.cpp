#include "adapters/adapters.hpp"
#include "config/config.hpp"

#include <gtest/gtest.h>

namespace {

using namespace hydra;

struct Row {
  const char* name;
  const char* toml;
  const char* where;  ///< "" when it has no place of its own
  const char* says;   ///< part of the message
  const char* hint;   ///< part of the hint
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Complaint : public testing::TestWithParam<Row> {};

TEST_P(Complaint, HasAPlaceAndAWord) {
  const auto& row = GetParam();
  const auto loaded = config::load({{"hydra.toml", row.toml}}, adapters::builtin());
  ASSERT_EQ(loaded.errors.size(), 1u) << [&] {
    std::string all;
    for (const auto& e : loaded.errors) all += describe(e) + "\n";
    return all;
  }();
  const auto& e = loaded.errors[0];
  EXPECT_EQ(e.code, Errc::config);
  const std::string_view where = row.where;
  if (where.ends_with(':'))  // the column of a syntax error is the library's choice
    EXPECT_TRUE(e.where.starts_with(where)) << e.where;
  else
    EXPECT_EQ(e.where, where);
  EXPECT_NE(e.message.find(row.says), std::string::npos) << describe(e);
  EXPECT_NE(e.hint.find(row.hint), std::string::npos) << describe(e);
}

const Row kRows[] = {
    {"unknown_key", "[scoring]\ntest_comand = \"x\"\n", "hydra.toml:2:1",
     "unknown key 'test_comand' in [scoring]", "did you mean 'test_command'?"},
    {"far_key", "[scoring]\ntest_cmd = \"x\"\n", "hydra.toml:2:1", "test_cmd", "'test_command'"},
    {"unknown_section", "[scorring]\nx = 1\n", "hydra.toml:1:2", "unknown key 'scorring'",
     "did you mean 'scoring'?"},
    {"wrong_section", "[scoring]\nagent_timeout_seconds = 1\n", "hydra.toml:2:1", "unknown key",
     "belongs to [limits]"},
    {"inline_table", "[scoring]\nweights = { build = 1, test = 2 }\n", "hydra.toml:2:24",
     "unknown key 'test'", "did you mean 'tests'?"},
    {"wrong_type", "[scoring]\nbuild_command = 3\n", "hydra.toml:2:17", "must be a string, found an integer",
     ""},
    {"number_as_text", "[scoring]\ntimeout_per_check_seconds = \"120\"\n", "hydra.toml:2:29",
     "must be a number, found a string", ""},
    {"fraction", "[limits]\nagents = 1.5\n", "hydra.toml:2:10", "must be an integer, found a number", ""},
    {"boolean", "[merge]\nauto = \"yes\"\n", "hydra.toml:2:8", "must be true or false", ""},
    {"section_as_value", "scoring = 1\n", "hydra.toml:1:11", "'scoring' is a table", "[scoring]"},
    {"zero_time", "[scoring]\ntimeout_per_check_seconds = 0\n", "hydra.toml:2:29",
     "above 0 and at most 86400", ""},
    {"long_time", "[scoring]\ntimeout_per_check_seconds = 86401\n", "hydra.toml:2:29", "86400", ""},
    {"points", "[scoring.thresholds]\nfail_maximum = 100.5\n", "hydra.toml:2:16",
     "at least 0 and at most 100", ""},
    {"negative_count", "[limits]\nchecks = -1\n", "hydra.toml:2:10", "at least 0", ""},
    {"negative_weight", "[scoring]\nweights = { build = -1 }\n", "hydra.toml:2:21", "at least 0", ""},
    {"nan_weight", "[scoring]\nweights = { build = nan }\n", "hydra.toml:2:21", "must be a number", ""},
    {"inf_weight", "[scoring]\nweights = { build = inf }\n", "hydra.toml:2:21", "must be a number", ""},
    {"no_weight", "[scoring]\nweights = { build = 0, tests = 0, lint = 0, diff_size = 0, speed = 0.0 }\n",
     "hydra.toml:2:11", "all weights are 0", "above 0"},
    {"choice", "[sandbox]\nmode = \"requird\"\n", "hydra.toml:2:8", "\"required\", \"auto\", \"off\"",
     "did you mean 'required'?"},
    {"syntax", "[scoring]\nbuild_command = \n", "hydra.toml:2:", "", ""},
    {"duplicate", "[scoring]\ntimeout_per_check_seconds = 1\ntimeout_per_check_seconds = 2\n",
     "hydra.toml:3:", "", ""},
    {"empty_command", "[scoring]\ntest_command = \" \"\n", "hydra.toml:2:16", "must not be empty", ""},
    {"parent_path", "[workspace]\ncopy = [\".env\", \"../x\"]\n", "hydra.toml:2:17", "\"..\" is not allowed",
     ""},
    {"absolute_path", "[workspace]\nshare = [\"/usr\"]\n", "hydra.toml:2:10", "relative to the repository",
     ""},
    {"git_path", "[workspace]\nshare = [\".git\"]\n", "hydra.toml:2:10", ".git", ""},
    {"whole_tree", "[workspace]\ncopy = [\".\"]\n", "hydra.toml:2:9", "below the repository's root", ""},
    {"outputs_parent", "[workspace]\noutputs = [\"a/../b\"]\n", "hydra.toml:2:12", "\"..\" is not allowed",
     ""},
    {"outputs_absolute", "[workspace]\noutputs = [\"/build\"]\n", "hydra.toml:2:12",
     "relative to the repository", ""},
    {"outputs_everything", "[workspace]\noutputs = [\"**/*\"]\n", "hydra.toml:2:12", "match every file", ""},
    {"outputs_stars", "[workspace]\noutputs = [\"a**/b\"]\n", "hydra.toml:2:12",
     "stand alone between slashes", ""},
    {"outputs_git", "[workspace]\noutputs = [\"**/.git\"]\n", "hydra.toml:2:12", ".git", ""},
    {"empty_warm", "[workspace]\nwarm = \"\"\n", "hydra.toml:2:8", "must not be empty", ""},
    {"unknown_cache", "[workspace]\ncaches = [\"npm\", \"cargoo\"]\n", "hydra.toml:2:18",
     "unknown cache 'cargoo'; did you mean 'cargo'? known are npm, pnpm,", ""},
    {"cache_outside", "[workspace]\ncaches = [\"/var/cache\"]\n", "hydra.toml:2:11", "begins with ~/", ""},
    {"cache_parent", "[workspace]\ncaches = [\"~/.npm/../.ssh\"]\n", "hydra.toml:2:11",
     "\"..\" is not allowed", ""},
    {"cache_of_keys", "[workspace]\ncaches = [\"~/.ssh/keys\"]\n", "hydra.toml:2:11", "~/.ssh holds keys",
     ""},
    {"cache_above_keys", "[workspace]\ncaches = [\"~/.config\"]\n", "hydra.toml:2:11", "holds keys", ""},
    {"cache_file_of_tokens", "[workspace]\ncaches = [\"~/.cargo//credentials.toml\"]\n", "hydra.toml:2:11",
     "~/.cargo/credentials.toml holds keys", ""},
    {"whole_home", "[workspace]\ncaches = [\"~/\"]\n", "hydra.toml:2:11", "whole home", ""},
    {"webhook_scheme", "[notify]\nwebhook = \"ftp://x\"\n", "hydra.toml:2:11", "https://", ""},
    {"webhook_host", "[notify]\nwebhook = \"https:///x\"\n", "hydra.toml:2:11", "no host", ""},
    {"webhook_user", "[notify]\nwebhook = \"https://u:p@x/\"\n", "hydra.toml:2:11", "a password", ""},
    {"webhook_lines", "[notify]\nwebhook = \"http://x/\\r\\nHost: y\"\n", "hydra.toml:2:11", "blanks", ""},
    {"sbatch", "[execution]\nsbatch = [\"--wrap=x\"]\n", "hydra.toml:2:11", "expected one of --account=", ""},
    {"disk_free", "[limits]\ndisk_free_mib = -1\n", "hydra.toml:2:17", "at least 0", ""},
    {"host_path", "[sandbox]\nwrite = [\"cargo\"]\n", "hydra.toml:2:10", "~/", ""},
    {"list_item", "[workspace]\ncopy = [1]\n", "hydra.toml:2:9", "expected a string here", ""},
    {"agent_name", "[agents.\"My Agent\"]\ncommand = [\"a\"]\n", "hydra.toml:1:9", "no name for an agent",
     "a-z"},
    {"agent_without_command", "[agents.mine]\nprompt = \"stdin\"\n", "hydra.toml:1:9", "has no 'command'",
     "add command"},
    {"agent_misspelt", "[agents.claud]\nprompt = \"stdin\"\n", "hydra.toml:1:9", "not built in",
     "did you mean 'claude'?"},
    {"like_unknown", "[agents.b]\nlike = \"claud\"\n", "hydra.toml:2:8", "unknown agent 'claud'",
     "did you mean 'claude'?"},
    {"like_itself", "[agents.a]\nlike = \"b\"\n[agents.b]\nlike = \"a\"\n", "hydra.toml:4:8",
     "'b' is like itself", "no other"},
    {"like_number", "[agents.b]\nlike = 1\ncommand = [\"x\"]\n", "hydra.toml:2:8", "a string", ""},
    {"agent_key", "[agents.claude]\ncomand = [\"x\"]\n", "hydra.toml:2:1", "unknown key 'comand'",
     "did you mean 'command'?"},
    {"agents_list", "agents = [\"claude\"]\n", "hydra.toml:1:10", "'agents' is a table", "[race] agents"},
    {"placeholder", "[agents.mine]\ncommand = [\"a\", \"{promt}\"]\n", "hydra.toml:2:11",
     "unknown placeholder {promt}; did you mean {prompt}?", ""},
    {"conditional", "[agents.mine]\ncommand = [\"a\", \"x{?model}\"]\n", "hydra.toml:2:11", "whole argument",
     ""},
    {"shell_script", "[agents.mine]\ncommand = [\"bash\", \"-lc\", \"agent '{prompt}'\"]\n",
     "hydra.toml:2:11", "would be run as code", ""},
    {"shell_script_by_env", "[agents.mine]\ncommand = [\"env\", \"/bin/sh\", \"-c\", \"a {prompt}\"]\n",
     "hydra.toml:2:11", "would be run as code", ""},
    {"python_script", "[agents.mine]\ncommand = [\"python3\", \"-c\", \"f('{prompt}')\"]\n",
     "hydra.toml:2:11", "would be run as code", ""},
    {"empty_argv", "[agents.mine]\ncommand = []\n", "hydra.toml:2:11", "program", ""},
    {"every_variable", "[agents.claude]\nenv_pass = [\"*\"]\n", "hydra.toml:2:13", "all your secrets", ""},
    {"variable", "[agents.claude]\nenv = { \"A B\" = \"x\" }\n", "hydra.toml:2:17", "no name of a variable",
     ""},
    {"regex", "[agents.claude]\nstream.error_regex = \"(\"\n", "hydra.toml:2:22", "bad regular expression",
     ""},
    {"pointer", "[agents.claude]\nstream.terminal_text = \"result\"\n", "hydra.toml:2:24", "JSON pointer",
     ""},
    {"signal", "[agents.claude]\nstop = [{ signal = \"STOP\", wait_seconds = 1 }]\n", "hydra.toml:2:9",
     "INT, TERM", ""},
    {"exit_class", "[agents.claude]\nexit.class = { 41 = \"oops\" }\n", "hydra.toml:2:21", "rate_limit", ""},
    {"exit_code", "[agents.claude]\nexit.class = { 300 = \"auth\" }\n", "hydra.toml:2:22", "0 to 255", ""},
    {"default_agents", "[race]\nagents = [\"claude\", \"codx\"]\n", "hydra.toml:2:10", "unknown agent 'codx'",
     "did you mean 'codex'?"},
};

INSTANTIATE_TEST_SUITE_P(Table, Complaint, testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Complaints, AllAtOnce) {
  const auto loaded =
      config::load({{"hydra.toml", "x = 1\n[scoring]\nbuild_command = 1\n[limits]\nagents = -1\n"},
                    {"other.toml", "[scoring\n"},
                    {"third.toml", "[merge]\nautoo = true\n"}},
                   {});
  ASSERT_EQ(loaded.errors.size(), 5u);
  std::vector<std::string> places;
  for (const auto& e : loaded.errors) places.push_back(e.where.substr(0, e.where.find(':')));
  EXPECT_EQ(std::count(places.begin(), places.end(), "hydra.toml"), 3);
  EXPECT_EQ(std::count(places.begin(), places.end(), "other.toml"), 1);
  EXPECT_EQ(std::count(places.begin(), places.end(), "third.toml"), 1);
}

TEST(Complaints, AFileOfARepositoryNamesNobodyToBeTold) {
  const std::string text = "[notify]\ncommand = [\"tell\"]\nwebhook = \"https://example.org\"\n";
  EXPECT_TRUE(config::load({{"config.toml", text}}, {}).errors.empty());
  const auto loaded = config::load({{"hydra.toml", text, true}}, {});
  ASSERT_EQ(loaded.errors.size(), 2u);
  EXPECT_EQ(loaded.errors[0].where, "hydra.toml:2:11");
  EXPECT_NE(loaded.errors[0].message.find("your own file only"), std::string::npos);
  EXPECT_EQ(loaded.errors[1].where, "hydra.toml:3:11");
}

TEST(Complaints, AFileOfARepositoryDoesNotSayOnWhoseMachinesItRuns) {
  const std::string text = "[execution]\nplacement = \"slurm\"\nsbatch = [\"--account=team\"]\n";
  EXPECT_TRUE(config::load({{"config.toml", text}}, {}).errors.empty());
  EXPECT_EQ(config::load({{"hydra.toml", text, true}}, {}).errors.size(), 2u);
}

TEST(Complaints, HostileKeysCannotReachTheTerminal) {
  const auto loaded = config::load({{"hydra.toml", "\"a\\u001b[2J\" = 1\n"}}, {});
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(describe(loaded.errors[0]).find('\x1b'), std::string::npos);
}

TEST(Complaints, BinaryRubbishIsAComplaint) {
  for (const std::string& text : {std::string("\xff\xfe\x00", 3), std::string(100'000, '['),
                                  std::string("a = \""), std::string("\xef\xb9\xbf")})
    EXPECT_EQ(config::load({{"hydra.toml", text}}, {}).errors.size(), 1u);
}

// A recursion of the parser for each part: this one ended the process.
TEST(Complaints, AKeyWithoutEndIsAComplaint) {
  std::string key = "a";
  for (int part = 0; part < 200'000; ++part) key += ".a";
  const auto loaded = config::load({{"hydra.toml", "schema = 1\n" + key + " = 1\n"}}, {});
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(describe(loaded.errors[0]), "hydra.toml:2:1: more than 1,024 dots in a line");
}

}  // namespace
