#include "base/clock.hpp"
#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/paths.hpp"
#include "base/strings.hpp"
#include "cli/ask.hpp"
#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "cli/programs.hpp"
#include "cli/render/ci_files.hpp"
#include "cli/render/export_formats.hpp"
#include "cli/render/leaderboard_block.hpp"
#include "wire/details.hpp"
#include "wire/json.hpp"
#include "wire/requests.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <set>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

constexpr std::size_t kMostMessages = 50, kMostPages = 200;
constexpr std::chrono::seconds kCancelWait{60};

struct CiArgs {
  std::string junit, sarif, summary, report, state, annotations = "auto";
  std::vector<std::string> words;
};

// Private state of Hydra for this pipeline, apart from the user's daemon and races.
class CiPlace {
 public:
  explicit CiPlace(std::string kept) : kept_(std::move(kept)) {}
  CiPlace(const CiPlace&) = delete;
  CiPlace& operator=(const CiPlace&) = delete;
  ~CiPlace() {
    std::error_code ec;
    if (!root_.empty()) fs::remove_all(root_, ec);
  }

  Result<void> make() {
    // A socket path is limited in length, hence /tmp.
    std::string name = "/tmp/hydra-ci-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return system_error("cannot make " + name, errno);
    root_ = name;
    const auto state = kept_.empty() ? root_ / "state" : fs::absolute(kept_);
    HYDRA_CHECK(make_dirs(state, 0700));
    HYDRA_CHECK(make_dirs(root_ / "run", 0700));
    ::setenv("XDG_STATE_HOME", state.c_str(), 1);
    ::setenv("XDG_RUNTIME_DIR", (root_ / "run").c_str(), 1);
    return {};
  }

 private:
  std::string kept_;
  fs::path root_;
};

// Disables GitHub's workflow commands in the output for the object's life, since agents and tests print
// arbitrary text.
class QuietCommands {
 public:
  explicit QuietCommands(bool on) : word_(on ? RandomIds().token() : std::string()) {
    if (on) print_line("::stop-commands::" + word_);
  }
  ~QuietCommands() {
    if (!word_.empty()) print_line("::" + word_ + "::");
  }
  QuietCommands(const QuietCommands&) = delete;
  QuietCommands& operator=(const QuietCommands&) = delete;

 private:
  std::string word_;
};

// Returns the ids of all races here, checks included, which no list shows.
std::set<std::string> races_here(const Context& context) {
  std::set<std::string> ids;
  const auto paths = context.paths();
  if (!paths) return ids;
  std::error_code ec;
  for (const auto& each : entries_of(paths->state / "races", ec)) ids.insert(each.path().filename().string());
  return ids;
}

bool has_ended(client::Client& client, const std::string& race) {
  const auto status = get<wire::Status>(client, race_path(race));
  return !status || is_over(status->state);
}

// Cancels running races and waits for their end, since agents would outlive the daemon.
void end_races(Context& context) {
  auto client = context.daemon();
  if (!client) return;
  const auto end = std::chrono::steady_clock::now() + kCancelWait;
  for (const auto& race : races_here(context)) {
    if (has_ended(*client, race)) continue;
    (void)client->call("POST", race_path(race, "cancel"), wire::to_json(wire::CancelRequest{""}));
    (void)client->stream_events(race_path(race, "events") + "?brief=1", {}, [&](const auto& event) {
      return event.event != "end" && std::chrono::steady_clock::now() < end;
    });
  }
}

// Runs the verb to its end. A signal cancels the race, and the results are still printed.
Result<int> run_verb(Context& context, const std::vector<std::string>& words) {
  std::vector<std::string> argv{own_program()};
  argv.insert(argv.end(), words.begin(), words.end());
  Interrupts interrupts;
  HYDRA_TRY(const int pid, start_program(argv));
  const UniqueFd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  bool interrupted = false;
  for (;;) {
    std::array<pollfd, 2> polled{pollfd{ended.get(), POLLIN, 0},
                                 pollfd{interrupted ? -1 : interrupts.fd(), POLLIN, 0}};
    if (::poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) break;
    if (polled[0].revents != 0) break;
    if (polled[1].revents == 0 || interrupts.take(std::chrono::milliseconds(0)) == 0) continue;
    interrupted = true;
    context.warn("interrupted: the race is being cancelled");
    end_races(context);
    ::kill(pid, SIGTERM);
  }
  HYDRA_TRY(const int code, wait_program(pid));
  return interrupted ? static_cast<int>(kInterrupted) : code;
}

struct CiRun {
  wire::Results results;
  std::vector<CiFinding> findings;
  std::vector<CiTest> tests;  ///< the base's tests by name
};

// Reads all pages of a list; `read` returns a page's entries and the next cursor. Empty if the list does not
// exist.
template <class Read>
auto all_pages(client::Client& client, const std::string& target, Read read) {
  std::string cursor;
  decltype(read(cursor, cursor)) all;
  for (std::size_t page = 0; page < kMostPages; ++page) {
    const auto body =
        client.call("GET", target + (cursor.empty() ? "" : "&cursor=" + client::url_encode(cursor)));
    if (!body) break;
    const auto rows = read(*body, cursor);
    all.insert(all.end(), rows.begin(), rows.end());
    if (cursor.empty()) break;
  }
  return all;
}

std::vector<CiFinding> lint_of(client::Client& client, const std::string& race, const std::string& name,
                               bool fresh) {
  return all_pages(client, race_path(race, "lint", name) + (fresh ? "?new=1" : "?new=0"),
                   [&](const std::string& page, std::string& next) {
                     return lint_findings(page, name == model::kBaseline ? "" : name, next);
                   });
}

std::vector<CiTest> named_tests(client::Client& client, const std::string& race) {
  auto all = all_pages(client, race_path(race, "tests") + "?show=all", base_tests);
  std::size_t asked = 0;
  for (auto& test : all) {
    if (test.outcome != 'f' || ++asked > kMostMessages) continue;
    const auto one = get<wire::NamedTest>(
        client, race_path(race, "tests", "@baseline") + "?name=" + client::url_encode(test.name));
    if (one) test.message = one->message;
  }
  return all;
}

Result<CiRun> read_run(client::Client& client, const std::string& race) {
  CiRun run;
  HYDRA_TRY(run.results, get<wire::Results>(client, race_path(race, "results")));
  run.findings = tamper_findings(run.results);
  const bool check = run.results.agents.empty();
  const auto linted = check ? std::string("@baseline") : run.results.winner;
  if (!linted.empty()) {
    const auto lint = lint_of(client, race, linted, !check);
    run.findings.insert(run.findings.end(), lint.begin(), lint.end());
  }
  if (check) run.tests = named_tests(client, race);
  return run;
}

Result<std::string> junit_of(client::Client& client, const CiRun& run) {
  if (run.results.agents.empty()) return check_junit(run.results, run.tests);
  Exporter exporter(ExportFormat::junit);
  HYDRA_TRY(const auto body, client.call("GET", "/v1/history?race=" + run.results.race));
  std::optional<std::int64_t> next;
  HYDRA_TRY(const auto page, exporter.page(body, next));
  return exporter.head() + page + exporter.foot();
}

Result<void> write_to(const std::string& file, const std::string& text, bool append) {
  if (file == "-") {
    print(text);
    return {};
  }
  if (!append) return write_file(file, text);
  const UniqueFd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!out || ::write(out.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return system_error("cannot write " + file, errno);
  return {};
}

/// Returns one report of all races that `query` selects.
Result<std::string> junit_of_all(client::Client& client, const std::string& query) {
  Exporter exporter(ExportFormat::junit);
  auto text = exporter.head();
  std::optional<std::int64_t> next = 0;
  while (next) {
    HYDRA_TRY(const auto body,
              client.call("GET", "/v1/history?" + query + "&after=" + std::to_string(*next)));
    HYDRA_TRY(const auto page, exporter.page(body, next));
    text += page;
  }
  return text + exporter.foot();
}

/// Prints what remains, since the race's own commands refer to state that is removed.
void say_what_stays(const wire::Results& results, const Style& style) {
  for (const auto& agent : results.agents)
    if (agent.agent == results.winner && !agent.branch.empty())
      std::fprintf(stderr,
                   "Here only the branches stay (--state DIR keeps the rest): `git merge %s` brings the "
                   "winner in.\n",
                   style.safe(agent.branch).c_str());
}

std::string summary_file(const CiArgs& args, const Context& context) {
  return args.summary.empty() ? context.env()("GITHUB_STEP_SUMMARY").value_or("") : args.summary;
}

Result<void> write_files(const CiArgs& args, Context& context, client::Client& client,
                         const std::string& race, bool github) {
  HYDRA_TRY(const auto run, read_run(client, race));
  if (args.state.empty()) say_what_stays(run.results, context.err());
  if (github) print(annotations_text(run.findings));
  if (!args.junit.empty()) {
    HYDRA_TRY(const auto junit, junit_of(client, run));
    HYDRA_CHECK(write_to(args.junit, junit, false));
  }
  if (!args.sarif.empty()) {
    HYDRA_CHECK(write_to(args.sarif, sarif_text(run.findings, run.results.base), false));
  }
  if (const auto page = summary_file(args, context); !page.empty())
    HYDRA_CHECK(write_to(page, summary_text(run.results, run.findings), args.summary.empty()));
  if (args.report.empty()) return {};
  client.set_timeout(std::chrono::minutes(5));
  HYDRA_TRY(const auto html, client.call("GET", race_path(race, "report")));
  return write_to(args.report, html, false);
}

/// Writes the files of a suite's run: all of its races in one report, and the leaderboard as the summary.
Result<void> write_bench_files(const CiArgs& args, const Context& context, client::Client& client,
                               std::int64_t begun_ms) {
  const auto query = "since_ms=" + std::to_string(begun_ms);
  if (!args.junit.empty()) {
    HYDRA_TRY(const auto junit, junit_of_all(client, query));
    HYDRA_CHECK(write_to(args.junit, junit, false));
  }
  const auto page = summary_file(args, context);
  if (page.empty()) return {};
  HYDRA_TRY(const auto body, client.call("GET", "/v1/leaderboard?minimum=1&" + query));
  HYDRA_TRY(const auto table, leaderboard_text(body, Style{}));
  return write_to(page, "## Hydra: suite\n\n" + fenced(table), args.summary.empty());
}

Result<int> ci_steps(const CiArgs& args, Context& context) {
  const bool github = args.annotations == "github" ||
                      (args.annotations == "auto" && context.env()("GITHUB_ACTIONS").value_or("") == "true");
  const auto before = races_here(context);
  const auto begun_ms = SystemClock().now();
  int code = kFailed;
  {
    const QuietCommands quiet(github);
    HYDRA_TRY(code, run_verb(context, args.words));
  }
  HYDRA_TRY(auto client, context.daemon());
  if (args.words.front() == "bench") {
    HYDRA_CHECK(write_bench_files(args, context, client, begun_ms));
    return code;
  }
  for (const auto& race : races_here(context)) {
    if (before.contains(race)) continue;
    HYDRA_CHECK(write_files(args, context, client, race, github));
  }
  return code;
}

Result<int> ci(const CiArgs& given, Context& context) {
  auto args = given;
  if (args.words.empty()) args.words = {"check"};
  const bool bench = args.words.front() == "bench";
  if (args.words.front() != "check" && args.words.front() != "race" && !bench)
    return Error{Errc::usage,
                 "`hydra ci` runs `check`, `race` or `bench`, and no `" + args.words.front() + "`",
                 {},
                 "hydra ci --junit report.xml race --agents claude \"fix issue 42\""};
  for (const auto& word : args.words)
    if (word == "--detach" || word == "-d" || word == "--auto-merge")
      return Error{Errc::usage, word + " is not for a pipeline: nothing stays behind `hydra ci`", {}, {}};
  if (bench && (!args.sarif.empty() || !args.report.empty()))
    return Error{Errc::usage, "--sarif and --report are of one race, and a suite has many", {}, {}};
  CiPlace place(args.state);
  HYDRA_CHECK(place.make());
  const auto code = ci_steps(args, context);
  end_races(context);
  (void)run_program({own_program(), "daemon", "stop"}, true);
  return code;
}

}  // namespace

Verb ci_verb() {
  return verb_of<CiArgs>(
      "ci", "Run a check or a race in a pipeline: reports for it, and nothing left behind",
      {"hydra ci # the base's own build, tests and lint",
       "hydra ci --junit junit.xml --sarif hydra.sarif --summary summary.md check",
       "hydra ci --report race.html race --agents claude,codex \"fix issue 42\""},
      [](Options& o, CiArgs& args) {
        o.value("--junit", args.junit, "FILE", "tests and checks (of a race: its attempts) as JUnit XML");
        o.value("--sarif", args.sarif, "FILE", "findings of lint and of the tamper reports as SARIF 2.1.0");
        o.value("--summary", args.summary, "FILE",
                "what came out as Markdown (default: $GITHUB_STEP_SUMMARY, where that is set)");
        o.value("--report", args.report, "FILE", "the whole race as one page");
        o.value("--state", args.state, "DIR",
                "keep Hydra's files there, for a cache (default: a directory that is removed)");
        o.choice("--annotations", args.annotations, {"auto", "github", "none"},
                 "findings as annotations of the pipeline's page");
        o.command("check|race|bench …", args.words,
                  "the check, race or suite with its options (default: check)");
      },
      ci);
}

}  // namespace hydra::cli
