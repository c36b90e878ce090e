// Durations, attempts, agent words, exit codes, events, logs, completion: the small languages of the command
// line.
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/completion.hpp"
#include "cli/project.hpp"
#include "cli/project_files.hpp"
#include "cli/race_ref.hpp"
#include "cli/render/event_line.hpp"
#include "cli/render/live_table.hpp"
#include "cli/render/log_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>

namespace hydra::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "hydra-cli-XXXXXX").string();
    path = fs::canonical(::mkdtemp(pattern.data()));
  }
  ~Folder() { fs::remove_all(path); }
  void file(const std::string& name, const std::string& text = {}) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  fs::path path;
};

TEST(Duration, units_and_sums) {
  EXPECT_DOUBLE_EQ(*parse_duration("90"), 90);
  EXPECT_DOUBLE_EQ(*parse_duration("90s"), 90);
  EXPECT_DOUBLE_EQ(*parse_duration("30m"), 1800);
  EXPECT_DOUBLE_EQ(*parse_duration("1h30m"), 5400);
  EXPECT_DOUBLE_EQ(*parse_duration("250ms"), 0.25);
  EXPECT_DOUBLE_EQ(*parse_duration("1.5h"), 5400);
}

TEST(Duration, nonsense_is_refused) {
  for (const char* text : {"", "0", "0s", "-5m", "m", "5x", "1h30", "31d", "1e9", "nan", "inf", " 5m", "5m "})
    EXPECT_FALSE(parse_duration(text).ok()) << text;
}

TEST(Attempts, EveryEntryRunsSoOftenAndStaysOneEntry) {
  const std::vector<model::AgentEntry> two{{"codex", "codex", "m"}, {"codex-2", "codex", ""}};
  const auto all = with_attempts(two, 3);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].name, "codex#2");
  EXPECT_EQ(all[1].model, "m");
  EXPECT_EQ(all[1].entry_name(), "codex");
  EXPECT_EQ(all[5].name, "codex-2#3");
  EXPECT_EQ(all[5].attempt, 3);
  EXPECT_EQ(with_attempts(two, 1)[1].name, "codex-2") << "an only attempt has no number";
  EXPECT_EQ(with_attempts(two, 1)[1].entry_name(), "codex-2");
}

TEST(AgentWord, three_spellings) {
  EXPECT_EQ(split_agent("codex")->agent, "codex");
  EXPECT_EQ(split_agent("codex-1708646400")->branch, "hydra/codex-1708646400");
  EXPECT_EQ(split_agent("hydra/codex-1708646400")->branch, "hydra/codex-1708646400");
  EXPECT_EQ(split_agent("hydra/codex-1708646400")->agent, "");
  EXPECT_EQ(split_agent("01jx/codex-2")->race, "01jx");
  EXPECT_EQ(split_agent("01jx/codex-2")->agent, "codex-2");
  EXPECT_EQ(split_agent("baseline")->agent, "@baseline");
  EXPECT_FALSE(split_agent("").ok());
  EXPECT_FALSE(split_agent("01jx/").ok());
}

TEST(RaceWord, never_leaves_its_place_in_the_target) {
  EXPECT_EQ(*race_target("01jx", "/", "/results"), "/v1/races/01jx/results");
  EXPECT_FALSE(race_target("../merge", "/").ok());
  EXPECT_FALSE(race_target("a b", "/").ok());
}

TEST(RaceWord, nothing_means_the_last_race_of_the_repository) {
  const Folder folder;
  fs::create_directories(folder.path / ".git");
  fs::create_directories(folder.path / "a b");
  EXPECT_EQ(*race_target("", folder.path / "a b"),
            "/v1/races/last?repository=" + client::url_encode(folder.path.string()));
}

TEST(ConfigSearch, goes_up_to_the_repository_and_no_further) {
  const Folder folder;
  folder.file("hydra.toml", "outside");
  folder.file("repo/.git/HEAD");
  folder.file("repo/sub/deep/x");
  Paths paths{folder.path / "state", folder.path / "run", folder.path / "config"};
  EXPECT_FALSE(find_config(paths, folder.path / "repo/sub/deep").project);
  folder.file("repo/hydra.toml", "inside");
  EXPECT_EQ(*find_config(paths, folder.path / "repo/sub/deep").project, folder.path / "repo/hydra.toml");
  EXPECT_FALSE(find_config(paths, folder.path).user);
  folder.file("config/config.toml", "user");
  const auto layers = read_layers(find_config(paths, folder.path / "repo/sub"), folder.path / "repo/sub");
  ASSERT_EQ(layers->size(), 2u);
  EXPECT_EQ((*layers)[0].text, "user");
  EXPECT_EQ((*layers)[1].name, "../hydra.toml");
}

TEST(ProjectFiles, secrets_are_not_read) {
  const Folder folder;
  folder.file("package.json", "{}");
  folder.file(".env", "KEY=1");
  folder.file("src/x");
  const auto files = read_project(list_files(folder.path, [](const std::string&) { return std::nullopt; }));
  EXPECT_THAT(files.names, testing::ElementsAre(".env", "package.json", "src", "src/x"));
  EXPECT_THAT(files.texts, testing::ElementsAre(testing::Pair("package.json", "{}")));
}

TEST(ExitCode, follows_the_design) {
  EXPECT_EQ(exit_code(Errc::usage), 2);
  EXPECT_EQ(exit_code(Errc::config), 2);
  EXPECT_EQ(exit_code(Errc::not_found), 2);
  EXPECT_EQ(exit_code(Errc::refused), 1);
  EXPECT_EQ(exit_code(Errc::conflict), 1);
  EXPECT_EQ(exit_code(Errc::environment), 3);
  EXPECT_EQ(exit_code(Errc::timeout), 3);
}

int run_words(std::vector<const char*> words) {
  words.insert(words.begin(), "hydra");
  return run(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, wrong_words_end_with_2) {
  EXPECT_EQ(run_words({"rase"}), 2);
  EXPECT_EQ(run_words({"race", "--timeout", "soon", "task"}), 2);
  EXPECT_EQ(run_words({"race"}), 2);
  EXPECT_EQ(run_words({"race", "two", "words"}), 2);
  EXPECT_EQ(run_words({"race", "--sandbox", "maybe", "task"}), 2);
  EXPECT_EQ(run_words({"daemon"}), 2);
  EXPECT_EQ(run_words({"diff"}), 2);
}

TEST(CommandLine, every_verb_has_help_with_examples) {
  for (const auto& verb : all_verbs()) {
    EXPECT_EQ(run_words({verb.name.c_str(), "--help"}), 0) << verb.name;
    EXPECT_FALSE(verb.examples.empty()) << verb.name;
  }
  EXPECT_EQ(run_words({"--help"}), 0);
  EXPECT_EQ(run_words({"--version"}), 0);
}

/// Names of the options and positionals that a verb takes.
struct OptionNames {
  std::set<std::string> options, positionals;
  explicit OptionNames(const Verb& verb) {
    Options taken;
    verb.options(taken);
    for (const auto& option : taken.rows())
      for (const auto name : split(option.names, ','))
        (option.positional() ? positionals : options).emplace(name);
  }
};

TEST(CommandLine, a_verb_is_found_by_its_own_name) {
  for (const auto& verb : all_verbs()) {
    const auto found = find_verb(verb.name);
    ASSERT_TRUE(found) << verb.name;
    EXPECT_EQ(found->name, verb.name);
  }
  EXPECT_FALSE(find_verb("rac"));
}

// CLI11 2.4 (Debian 13) takes them for one and the same, and throws; 2.3 does not.
TEST(CommandLine, no_option_below_a_verb_is_called_as_its_positional) {
  for (const auto& verb : all_verbs()) {
    if (!verb.options) continue;
    const OptionNames above(verb);
    for (const auto& child : verb.children) {
      if (!child.options) continue;
      const OptionNames below(child);
      for (const auto& name : above.positionals) EXPECT_FALSE(below.options.contains("--" + name)) << name;
    }
  }
}

TEST(EventJson, is_one_line_with_kind_and_id) {
  const auto text = event_json("note", "7", "{\"race\":\"r\",\n \"text\":\"a\\nb\"}");
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["event"], "note");
  EXPECT_EQ(json["id"], 7);
  EXPECT_EQ(json["text"], "a\nb");
  EXPECT_EQ(event_json("end", "", "{}"), "{\"event\":\"end\"}");
  EXPECT_EQ(event_json("end", "1,\"x\":2", "no object"), "{\"event\":\"end\"}");
}

TEST(EventLine, hostile_text_stays_on_its_line) {
  const auto text = event_line(model::Note{model::subject_of("codex"), "a\x1b[2J\nb"}, {});
  EXPECT_EQ(text, "codex: note: a b");
}

TEST(LogText, sequences_cut_in_two_are_still_removed) {
  LogText log;
  EXPECT_EQ(log.feed("one\x1b[3"), "");
  EXPECT_EQ(log.feed("1mred\ntwo \xE2"), "onered\n");
  EXPECT_EQ(log.feed("\x9C\x93"), "");
  EXPECT_EQ(log.finish(), "two ✓\n");
  EXPECT_EQ(log.finish(), "");
}

TEST(LogText, a_line_without_end_does_not_pile_up) {
  LogText log;
  std::string all;
  for (int i = 0; i < 100; ++i) all += log.feed(std::string(1500, 'x') + "ü");
  EXPECT_GT(all.size(), 60000u);
  all += log.finish();
  std::string wanted;
  for (int i = 0; i < 100; ++i) wanted += std::string(1500, 'x') + "ü";
  EXPECT_EQ(all, wanted + "\n");
}

TEST(Completion, has_a_script_for_each_shell) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(shell);
    ASSERT_TRUE(script.ok());
    EXPECT_THAT(*script, HasSubstr("__complete"));
  }
  EXPECT_FALSE(completion_script("tcsh").ok());
}

wire::Status race() {
  wire::Status s;
  s.race = "0123456789";
  s.task = "fix the Größe of 漢字 and much more than fits into a narrow line";
  s.state = model::RacePhase::running;
  s.elapsed_ms = 61000;
  s.baseline.state = model::BasePhase::checking;
  s.baseline.checks = {{"build", model::CheckPhase::passed}};
  for (const char* name : {"claude", "codex", "codex-2"}) {
    wire::AgentStatus a;
    a.agent = name;
    a.state = model::AgentPhase::running;
    a.elapsed_ms = 60000;
    a.last_line =
        "evil \x1b[2J 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
    a.diff = {120, 45, 6};
    a.tokens.input = 12000;
    a.tokens.output = 345;
    a.cost_usd = 0.42;
    s.agents.push_back(a);
  }
  return s;
}

TEST(LiveTable, the_baselines_set_up_is_no_check) {
  auto status = race();
  status.baseline.state = model::BasePhase::preparing;
  status.baseline.checks = {{"build", model::CheckPhase::waiting}, {"tests", model::CheckPhase::waiting}};
  const Style wide{.colour = false, .utf8 = true, .width = 120};
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains("baseline: preparing"));
  status.baseline.step = "setup";
  status.baseline.command = "npm ci\x1b[2J";
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains(HasSubstr("baseline: set-up (npm ci")));
  status.baseline.step = "template";
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains(HasSubstr("baseline: first build (npm ci")));
  status.baseline.step = "warm";
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains(HasSubstr("baseline: warm-up (npm ci")));
}

TEST(LiveTable, what_a_set_up_does_and_what_checks_wait_for) {
  auto status = race();
  const Style wide{.colour = false, .utf8 = true, .width = 160};
  status.baseline.state = model::BasePhase::preparing;
  status.baseline.step = "setup";
  status.baseline.command = "npm ci";
  status.baseline.step_ms = 95'000;
  status.baseline.last_line = "added 300 packages";
  EXPECT_THAT(live_table(status, wide, 0, 0),
              testing::Contains(HasSubstr("baseline: set-up (npm ci) for 1m35s: added 300 packages")));
  status.baseline.step.clear();
  status.baseline.state = model::BasePhase::checking;
  status.baseline.checks = {{"tests", model::CheckPhase::waiting}};
  status.baseline.waits = "waiting for a check slot (2 of 2 held by r9/a, r9/b)";
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains(HasSubstr("2 of 2 held by r9/a, r9/b")));
  status.agents[0].state = model::AgentPhase::checking;
  status.agents[0].checks = {{"tests", model::CheckPhase::waiting}};
  status.agents[0].waits = "waiting for a check slot (1 of 1 held by r9/a)";
  EXPECT_THAT(live_table(status, wide, 0, 0), testing::Contains(HasSubstr("1 of 1 held by r9/a")));
}

TEST(LiveTable, never_wider_than_the_terminal) {
  for (const std::size_t width : {40u, 80u, 120u}) {
    const auto table = live_table(race(), {.colour = false, .utf8 = true, .width = width}, 0, 0);
    ASSERT_EQ(table.size(), 6u);
    for (const auto& line : table) {
      EXPECT_LE(display_width(line), width) << line;
      EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    }
    EXPECT_THAT(table[2], HasSubstr("claude"));
    EXPECT_THAT(table[2], HasSubstr("running"));
    EXPECT_THAT(table[2], HasSubstr("1m00s"));
    EXPECT_THAT(table[2], HasSubstr("+120 -45"));
  }
}

TEST(LiveTable, shows_more_where_there_is_room) {
  const auto wide = live_table(race(), {.colour = false, .utf8 = true, .width = 120}, 1000, 0);
  EXPECT_THAT(wide[1], HasSubstr("LAST LINE"));
  EXPECT_THAT(wide[2], HasSubstr("12.3k"));
  EXPECT_THAT(wide[2], HasSubstr("$0.42"));
  EXPECT_THAT(wide[2], HasSubstr("1m01s"));  // the clock moves between two pictures of the daemon
}

TEST(LiveTable, never_higher_than_the_terminal) {
  auto many = race();
  for (int i = 0; i < 40; ++i) many.agents.push_back(many.agents[0]);
  EXPECT_LE(live_table(many, {.colour = false, .utf8 = true, .width = 80}, 0, 10).size(), 10u);
}

TEST(LiveTable, a_race_without_agents_is_no_crash) { EXPECT_GE(live_table({}, {}, 0, 0).size(), 1u); }

TEST(LiveTable, says_what_keeps_a_race_from_going_on) {
  wire::Status status;
  status.reason = "waiting: the \x1b[31mdisk is full";
  const auto lines = live_table(status, {.colour = false, .utf8 = true, .width = 80}, 0, 10);
  EXPECT_EQ(lines.back(), "waiting: the disk is full");
}

model::Usage used(std::int64_t input, std::int64_t output) {
  model::Usage usage;
  usage.input = input;
  usage.output = output;
  return usage;
}

TEST(Tokens, short_forms) {
  EXPECT_EQ(short_tokens({}), "-");
  EXPECT_EQ(short_tokens(used(950, 0)), "950");
  EXPECT_EQ(short_tokens(used(12000, 345)), "12.3k");
  EXPECT_EQ(short_tokens(used(4500000, 0)), "4.5M");
}

}  // namespace
// The daemon reads, stores and gives back with the race exactly the agents that the race can start.
TEST(RequestFor, HasTheAgentsThatARaceStartsAndNoOthers) {
  model::Config config;
  for (const auto* id : {"claude", "codex", "gemini"}) config.agents[id].id = id;
  model::AgentEntry codex;
  codex.name = codex.id = "codex";
  const auto request = request_for(config, {codex});
  EXPECT_EQ(config::known_agents(request.config), std::vector<std::string>{"codex"});
  EXPECT_EQ(request.agents.size(), 1u);
  EXPECT_FALSE(request.directory.empty());
}

}  // namespace hydra::cli
