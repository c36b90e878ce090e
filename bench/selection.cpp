// Answers `bench/selection` with the product's code: makes mutants, reads runners' logs and ranks
// races is the very code of a real race. Texts and JSON in, JSON out; nothing is decided here.
//   bench_selection mutants PATH MOST LINE,LINE... < SOURCE    one {line, change, text} a line
//   bench_selection read EXIT FILE... < LOG                    {complete, tests: {name:
//   pass|fail|no_contact|…}} bench_selection rank < RACES                               one answer a race, in
//   their order
#include "scoring/selection.hpp"

#include "checks/contact.hpp"
#include "mutate.hpp"
#include "parsers/parsers.hpp"
#include "scoring/engine.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace hydra;
using nlohmann::json;

void print(const json& value) {
  std::puts(value.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
}

std::string all_of(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int make_mutants(const std::vector<std::string>& args) {
  source::Request request;
  request.most = std::stoul(args.at(1));
  std::istringstream numbers(args.at(2));
  for (std::string line; std::getline(numbers, line, ',');) request.lines.push_back(std::stoi(line));
  for (const auto& mutant : source::mutate(args.at(0), all_of(std::cin), request))
    print({{"line", mutant.line}, {"change", mutant.description}, {"text", mutant.text}});
  return 0;
}

int read_log(const std::vector<std::string>& args) {
  const auto log = all_of(std::cin);
  const auto report = parsers::parse_tests(log, {std::stoi(args.at(0)), {}});
  const auto missing = checks::without_contact(log, report, {args.begin() + 1, args.end()});
  const std::set<std::string> without(missing.tests.begin(), missing.tests.end());
  json tests = json::object();
  for (const auto& test : report.tests) {
    const bool passed = test.status == model::TestStatus::passed;
    if (test.status == model::TestStatus::skipped) continue;
    auto& known = tests[test.name];  // of a name that occurs more than once, the worst
    if (known.is_null() || !passed)
      known = passed ? "pass" : without.contains(test.name) ? "no_contact" : "fail";
  }
  print({{"format", report.format},
         {"complete", report.complete},
         {"outcome", name(report.outcome)},
         {"tests", tests}});
  return 0;
}

model::Cell cell_of(const std::string& text) {
  for (const auto cell :
       {model::Cell::pass, model::Cell::fail, model::Cell::no_contact, model::Cell::unstable})
    if (model::name(cell) == text) return cell;
  return model::Cell::not_run;
}

/// The base's tests: `others` that pass everywhere, and those of `outcomes`; a missing one did not run.
model::CheckEvidence suite(std::int64_t others, const json& outcomes) {
  model::TestReport report;
  report.format = "bench";
  report.complete = true;
  for (std::int64_t i = 0; i < others; ++i)
    report.tests.push_back({"other " + std::to_string(i), model::TestStatus::passed});
  std::int64_t failed = 0;
  for (const auto& [name, outcome] : outcomes.items()) {
    const bool passed = outcome == "pass";
    if (!passed) ++failed;
    report.tests.push_back({name, passed ? model::TestStatus::passed : model::TestStatus::failed});
  }
  const auto total = static_cast<std::int64_t>(report.tests.size());
  report.counts = {total - failed, failed, 0, 0, total};
  model::CheckEvidence e;
  e.dimension = model::Dimension::tests;
  e.status = failed > 0 ? model::CheckStatus::failed : model::CheckStatus::passed;
  e.exit_code = failed > 0 ? 1 : 0;
  e.tests = report;
  return e;
}

model::Matrix matrix_of(const json& race) {
  model::Matrix m;
  m.state = model::Measure::measured;
  for (const auto& a : race.at("authors")) {
    model::CrossAuthor author;
    author.name = a.at("author").get<std::string>();
    author.members = a.at("members").get<std::vector<std::string>>();
    author.kind = author.members.empty() ? model::AuthorKind::tester : model::AuthorKind::result;
    for (const auto& test : a.at("tests")) author.tests.push_back({test.get<std::string>(), "", {}, {}});
    for (const auto& [result, cells] : a.at("cells").items()) {
      model::CrossRow row{result, author.name, {}, ""};
      for (const auto& cell : cells) row.cells.push_back(cell_of(cell.get<std::string>()));
      m.rows.push_back(std::move(row));
    }
    m.authors.push_back(std::move(author));
  }
  return m;
}

model::AgentEvidence agent_of(const json& race, const json& result) {
  model::AgentEvidence a;
  a.agent = result.at("result").get<std::string>();
  a.outcome = model::Outcome::completed;
  a.duration_ms = static_cast<std::int64_t>(result.at("seconds").get<double>() * 1000);
  a.code = result.at("code").get<std::string>();
  a.capture.emplace();
  a.capture->changed = true;
  const auto lines = result.at("lines").get<std::int64_t>(),
             tests = result.at("test_lines").get<std::int64_t>(),
             files = result.at("files").get<std::int64_t>();
  a.capture->diff = {lines + tests, 0, files + (tests > 0 ? 1 : 0)};
  if (tests > 0) a.capture->tests = model::DiffStat{tests, 0, 1};
  a.checks.tests = suite(race.at("others").get<std::int64_t>(), result.at("suite"));
  return a;
}

json chosen(const model::Ranking& ranking) {
  const auto first = ranking.agents.front().eligible ? ranking.agents.front().agent : std::string();
  json out{{"winner", ranking.winner},
           {"first", first},
           {"decision", std::string(name(ranking.decision))},
           {"evidence", ranking.evidence},
           {"words", json::object()},
           {"shows", json::array()}};
  for (const auto& row : ranking.agents) {
    if (!row.eligible) continue;
    const auto& facts = row.confidence.facts;
    out["words"][row.agent] = std::string(name(row.confidence.word));
    if (facts.own_tests + facts.tests_passed + facts.fixed > 0) out["shows"].push_back(row.agent);
  }
  const auto with_rivals = [](const model::Ranking& one) {
    return one.auto_merge && scoring::evidence_hold(one).empty();
  };
  out["merges"] = ranking.auto_merge && scoring::auto_merge_hold(ranking).empty();
  out["merges_with_rivals"] = with_rivals(ranking);
  // The price of what holds back, beside the word: would it be merged without that?
  auto without = ranking;
  for (auto& row : without.agents)
    row.confidence.facts.broken_alone = row.confidence.facts.out_of_contact = 0;
  out["merges_by_word"] = with_rivals(without);
  return out;
}

int rank_races() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto race = json::parse(line);
    model::BaselineEvidence base;
    base.checks.tests = suite(race.at("others").get<std::int64_t>(), race.at("base"));
    std::vector<model::AgentEvidence> agents;
    for (const auto& result : race.at("results")) agents.push_back(agent_of(race, result));
    model::ScoringConfig config;
    config.test_command = "bench";
    const auto matrix = matrix_of(race);
    json answer;
    for (const auto order : {model::Order::evidence, model::Order::composite}) {
      config.order = order;
      answer[order == model::Order::evidence ? "evidence" : "composite"] =
          chosen(scoring::evaluate(config, base, agents, matrix));
    }
    print(answer);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + std::min(argc, 2), argv + argc);
  const std::string verb = argc > 1 ? argv[1] : "";
  try {
    if (verb == "mutants" && args.size() == 3) return make_mutants(args);
    if (verb == "read" && !args.empty()) return read_log(args);
    if (verb == "rank" && args.empty()) return rank_races();
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "bench_selection: %s\n", e.what()), 2;
  }
  return std::fputs("usage: bench_selection mutants PATH MOST LINES | read EXIT FILE... | rank\n", stderr), 2;
}
