// bench/simulation drives it: many runs through reducer, window and store on a virtual clock; or, as a rival,
// as many rows into SQLite with nothing else around it.
#include "sim/simulation.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/resource.h>

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto s = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return s(used.ru_utime) + s(used.ru_stime);
}

long peak_mib() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss / 1024;
}

int simulate(const std::string& file, int races, int agents, int restarts) {
  hydra::sim::Options options;
  options.database = file;
  options.races = races;
  options.agents = agents;
  options.restarts = static_cast<std::uint64_t>(restarts);
  options.group_ms = 120'000;
  if (restarts > 0) options.open_races = races;  // all of them are in the store, unended, when it dies
  const auto begin = std::chrono::steady_clock::now();
  const auto report = hydra::sim::simulate(options);
  const double took = seconds_since(begin);
  if (!report.ok()) {
    fmt::print(stderr, "{}\n", report.error().message);
    return 1;
  }
  const bool whole = report->accepted == report->runs && report->accepted_twice == 0 &&
                     report->engine.two_tokens == 0 && report->live_at_end == 0 &&
                     report->engine.most_live <= static_cast<std::size_t>(options.window);
  fmt::print(
      "{{\"what\":\"hydra\",\"runs\":{},\"events\":{},\"seconds\":{:.2f},\"cpu_seconds\":{:.2f},"
      "\"events_per_second\":{:.0f},\"peak_mib\":{},\"accepted\":{},\"twice\":{},\"two_tokens\":{},"
      "\"most_live\":{},\"lost\":{},\"stale\":{},\"duplicates\":{},\"retries\":{},\"adopted\":{},"
      "\"restart_to_first_job_seconds\":{:.2f},\"virtual_hours\":{:.1f},\"whole\":{}}}\n",
      report->runs, report->events, took, cpu_seconds(), static_cast<double>(report->events) / took,
      peak_mib(), report->accepted, report->accepted_twice, report->engine.two_tokens,
      report->engine.most_live, report->engine.lost, report->engine.stale, report->engine.duplicates,
      report->retries, report->engine.adopted, report->slowest_restart,
      static_cast<double>(report->virtual_ms) / 3.6e6, whole);
  return whole ? 0 : 1;
}

/// Rows of the mean size of Hydra's, in groups of 500, one transaction each.
int raw(const std::string& file, long rows, std::size_t bytes) {
  SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec(
      "CREATE TABLE events (id INTEGER PRIMARY KEY, race TEXT, at_ms INTEGER, kind TEXT, body TEXT)");
  SQLite::Statement insert(database, "INSERT INTO events (race, at_ms, kind, body) VALUES (?, ?, ?, ?)");
  const std::string body(bytes, 'x');
  const auto begin = std::chrono::steady_clock::now();
  for (long done = 0; done < rows;) {
    SQLite::Transaction transaction(database);
    for (int i = 0; i < 500 && done < rows; ++i, ++done) {
      insert.reset();
      insert.bind(1, "race" + std::to_string(done / 160));
      insert.bind(2, static_cast<std::int64_t>(done));
      insert.bind(3, "agent_ended");
      insert.bind(4, body);
      insert.exec();
    }
    transaction.commit();
  }
  const double took = seconds_since(begin);
  fmt::print(
      "{{\"what\":\"raw sqlite\",\"events\":{},\"bytes\":{},\"seconds\":{:.2f},\"cpu_seconds\":{:.2f},"
      "\"events_per_second\":{:.0f},\"peak_mib\":{}}}\n",
      rows, bytes, took, cpu_seconds(), static_cast<double>(rows) / took, peak_mib());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "run" && argc == 6)
    return simulate(argv[2], std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]));
  if (what == "raw" && argc == 5)
    return raw(argv[2], std::atol(argv[3]), static_cast<std::size_t>(std::atol(argv[4])));
  std::fputs("usage: bench_simulation run FILE RACES AGENTS RESTARTS | raw FILE ROWS BYTES\n", stderr);
  return 2;
}
