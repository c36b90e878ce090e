// How often the right result is chosen (docs/selection.md, "Measured"): races from a file, one JSON object a
// line, each ranked by the very code that ranks real ones. Orders: evidence, composite, random (the expected
// value), oracle. Intervals are by bootstrap over instances, never over races.
#include "scoring/selection.hpp"

#include "scoring/engine.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace hydra;
using nlohmann::json;

struct Outcome {
  std::string instance, kind, word;
  bool mixed = false, any_right = false;
  double evidence = 0, composite = 0,
         random = 0;  ///< 1: the chosen result is right; random: its expected value
};

model::Cell cell_of(const std::string& text) {
  for (const auto cell :
       {model::Cell::pass, model::Cell::fail, model::Cell::no_contact, model::Cell::unstable})
    if (model::name(cell) == text) return cell;
  return model::Cell::not_run;
}

model::CheckEvidence tests_of(const json& counts) {
  model::CheckEvidence e;
  e.dimension = model::Dimension::tests;
  const auto passed = counts.value("passed", std::int64_t{1}),
             failed = counts.value("failed", std::int64_t{0});
  e.status = failed > 0 ? model::CheckStatus::failed : model::CheckStatus::passed;
  e.exit_code = failed > 0 ? 1 : 0;
  model::TestReport report;
  report.format = "bench";
  report.complete = true;
  report.counts = {passed, failed, 0, 0, passed + failed};
  e.tests = report;
  return e;
}

model::Matrix matrix_of(const json& race) {
  model::Matrix m;
  m.state = "measured";
  for (const auto& a : race.value("authors", json::array())) {
    model::CrossAuthor author;
    author.name = a.at("author").get<std::string>();
    author.members = a.value("members", std::vector<std::string>{});
    author.kind = author.members.empty() ? model::AuthorKind::tester : model::AuthorKind::result;
    for (const auto& test : a.at("tests")) author.tests.push_back({test.get<std::string>(), "", {}, {}});
    const auto add = [&](const std::string& result, const json& outcomes) {
      model::CrossRow row{result, author.name, {}, ""};
      for (const auto& test : author.tests)
        row.cells.push_back(cell_of(outcomes.value(test.name, std::string())));
      m.rows.push_back(std::move(row));
    };
    add(std::string(model::kBaseRow), race.value("base", json::object()));
    for (const auto& result : race.at("results"))
      add(result.at("result").get<std::string>(), result.value("tests", json::object()));
    m.authors.push_back(std::move(author));
  }
  return m;
}

Outcome look(const json& race) {
  model::BaselineEvidence base;
  base.checks.tests = tests_of(race.value("base_counts", json::object()));
  std::vector<model::AgentEvidence> agents;
  std::map<std::string, bool> right;
  for (const auto& result : race.at("results")) {
    model::AgentEvidence a;
    a.agent = result.at("result").get<std::string>();
    a.outcome = model::Outcome::completed;
    a.duration_ms = static_cast<std::int64_t>(result.value("seconds", 1.0) * 1000);
    a.code = result.value("tree", a.agent);
    a.capture.emplace();
    a.capture->changed = true;
    a.capture->diff = {result.value("churn", std::int64_t{1}), 0, result.value("files", std::int64_t{1})};
    a.checks.tests = tests_of(result.value("base_counts", race.value("base_counts", json::object())));
    right[a.agent] = result.at("right").get<bool>();
    agents.push_back(std::move(a));
  }
  model::ScoringConfig config;
  config.test_command = "bench";
  const auto matrix = matrix_of(race);
  const auto by_evidence = scoring::evaluate(config, base, agents, matrix);
  config.order = model::Order::composite;
  const auto by_points = scoring::evaluate(config, base, agents, matrix);
  Outcome out;
  out.instance = race.at("instance").get<std::string>();
  out.kind = race.value("kind", std::string("races"));
  const auto rights = std::count_if(right.begin(), right.end(), [](const auto& r) { return r.second; });
  out.any_right = rights > 0;
  out.mixed = rights > 0 && rights < static_cast<long>(right.size());
  out.random = right.empty() ? 0 : static_cast<double>(rights) / static_cast<double>(right.size());
  const auto chosen = [&](const model::Ranking& r) {
    return !r.winner.empty() && right[r.winner] ? 1.0 : 0.0;
  };
  out.evidence = chosen(by_evidence);
  out.composite = chosen(by_points);
  if (!by_evidence.agents.empty()) out.word = by_evidence.agents.front().confidence.word;
  return out;
}

struct Means {
  double n = 0, evidence = 0, composite = 0, random = 0, oracle = 0;
  void add(const Outcome& o) {
    ++n;
    evidence += o.evidence;
    composite += o.composite;
    random += o.random;
    oracle += o.any_right ? 1 : 0;
  }
};

struct Interval {
  double low = 0, high = 0;
};

/// 95 % of what resampled instances give.
template <class Value>
Interval bootstrap(const std::map<std::string, Means>& instances, Value value) {
  if (instances.empty()) return {};
  std::vector<const Means*> all;
  for (const auto& [name, means] : instances) all.push_back(&means);
  std::mt19937_64 random(1);
  std::vector<double> found;
  for (int i = 0; i < 2000; ++i) {
    Means sum;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& m = *all[random() % all.size()];
      sum.n += m.n;
      sum.evidence += m.evidence;
      sum.composite += m.composite;
      sum.random += m.random;
      sum.oracle += m.oracle;
    }
    found.push_back(value(sum));
  }
  std::sort(found.begin(), found.end());
  return {found[found.size() / 40], found[found.size() - 1 - found.size() / 40]};
}

void report(const std::string& title, const std::vector<Outcome>& outcomes, bool mixed_only) {
  std::map<std::string, Means> instances;
  Means all;
  for (const auto& o : outcomes)
    if (!mixed_only || o.mixed) instances[o.instance].add(o), all.add(o);
  if (all.n < 1) return;
  std::printf("\n%s: %.0f races of %zu instances\n", title.c_str(), all.n, instances.size());
  const auto line = [&](const char* name, double Means::*member) {
    const auto value = [member](const Means& m) { return m.n > 0 ? m.*member / m.n * 100 : 0; };
    const auto range = bootstrap(instances, value);
    std::printf("  %-10s top-1 %5.1f [%5.1f, %5.1f]  regret %5.1f\n", name, value(all), range.low, range.high,
                (all.oracle - all.*member) / all.n * 100);
  };
  line("random", &Means::random);
  line("composite", &Means::composite);
  line("evidence", &Means::evidence);
  line("oracle", &Means::oracle);
  for (const auto& [name, member] : {std::pair{"random", &Means::random}, {"composite", &Means::composite}}) {
    const auto value = [member](const Means& m) {
      return m.n > 0 ? (m.evidence - m.*member) / m.n * 100 : 0;
    };
    const auto range = bootstrap(instances, value);
    std::printf("  evidence - %-10s %+5.1f [%+5.1f, %+5.1f]\n", name, value(all), range.low, range.high);
  }
}

// The share of right ones among all other instances of the same word, against a constant found likewise.
void report_words(const std::vector<Outcome>& outcomes) {
  struct Count {
    double n = 0, right = 0;
  };
  std::map<std::string, Count> words;
  std::map<std::pair<std::string, std::string>, Count> own;
  std::map<std::string, Count> of_instance;
  Count all;
  const auto add = [](Count& c, const Outcome& o) { ++c.n, c.right += o.evidence; };
  for (const auto& o : outcomes) {
    add(words[o.word], o);
    add(own[{o.instance, o.word}], o);
    add(of_instance[o.instance], o);
    add(all, o);
  }
  std::printf("\nConfidence of the chosen result\n");
  for (const auto& [word, c] : words)
    std::printf("  %-14s %6.0f chosen, right in %5.1f of 100\n", word.c_str(), c.n, c.right / c.n * 100);
  double brier = 0, constant = 0;
  for (const auto& o : outcomes) {
    const auto without = [](const Count& a, const Count& b) {
      return (a.right - b.right + 0.5) / (a.n - b.n + 1);
    };
    const double p = without(words[o.word], own[{o.instance, o.word}]),
                 q = without(all, of_instance[o.instance]);
    brier += (p - o.evidence) * (p - o.evidence);
    constant += (q - o.evidence) * (q - o.evidence);
  }
  if (all.n > 0)
    std::printf("  Brier score %.3f, of a constant %.3f (both from the other instances)\n", brier / all.n,
                constant / all.n);
}

int usage() {
  std::fputs("usage: bench_selection FILE...   (bench/README.md has the format)\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage();
  std::vector<Outcome> outcomes;
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i]);
    if (!in) return std::fprintf(stderr, "cannot read %s\n", argv[i]), 2;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.empty()) continue;
      try {
        outcomes.push_back(look(json::parse(line)));
      } catch (const json::exception& e) {
        return std::fprintf(stderr, "%s:%zu: %s\n", argv[i], number, e.what()), 2;
      }
    }
  }
  std::map<std::string, std::vector<Outcome>> kinds;
  for (const auto& o : outcomes) kinds[o.kind].push_back(o);
  for (const auto& [kind, of_kind] : kinds) {
    report(kind + ", mixed", of_kind, true);
    report(kind + ", all", of_kind, false);
  }
  if (kinds.size() > 1) report("every kind, mixed", outcomes, true);
  report_words(outcomes);
  return 0;
}
