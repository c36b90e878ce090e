// What a running agent shows: read from its log, never stored. Its diff only while somebody looks.
#include "base/fd.hpp"
#include "race/agents/agents.hpp"
#include "race/agents/worktrees.hpp"
#include "race/jobs.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace hydra::race {
namespace {
constexpr std::int64_t kDiffEveryMs = 2000;
constexpr std::size_t kMostGrowth = 60;
constexpr std::size_t kReadAtOnce = 4u << 20;
}  // namespace

void Agents::read_output(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  if (!agent.begun() || agent.ended) return;
  auto& live = race->live[name];
  if (!live.reader && live.offset > 0) return;  // it has gone to the judge
  if (!live.reader)
    live.reader = std::make_unique<adapters::StreamReader>(race->state.spec.config.agents.at(agent.entry.id),
                                                           reader_options(race->state.spec, agent));
  const auto log = race->layout.attempt(name, "agent", agent.attempts) / "stdout.log";
  if (const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC)); fd) {
    std::string buffer(64 << 10, '\0');
    for (std::size_t total = 0; total < kReadAtOnce;) {
      // The dropped middle of a long log is a hole: jump to the next data.
      const off_t data = ::lseek(fd.get(), live.offset, SEEK_DATA);
      if (data > live.offset) {
        live.offset = data;
        live.skipped = true;
      }
      const ssize_t n = ::pread(fd.get(), buffer.data(), buffer.size(), live.offset);
      if (n <= 0) break;
      live.reader->feed({buffer.data(), static_cast<std::size_t>(n)});
      live.offset += n;
      total += static_cast<std::size_t>(n);
    }
  }
}

void Agents::refresh_live(const RacePtr& race, const AgentState& agent) {
  const auto& name = agent.entry.name;
  if (!agent.begun() || agent.ended) return;
  read_output(race, agent);
  auto& live = race->live[name];
  const auto now = clock.now();
  // Not at the first look: what an agent has written in its first moments is worth no two programs of git.
  if (live.diff_at_ms == 0) live.diff_at_ms = now;
  if (live.diff_running || now - live.diff_at_ms < kDiffEveryMs || !race->store) return;
  live.diff_running = true;
  background([store_copy = *race->store, tree = worktree_of(race->layout, name),
              name] { return store_copy.live_diff(tree, name); },
             [this, race, name](const Result<model::DiffStat>& diff) {
               const auto found = race->live.find(name);
               if (found == race->live.end()) return;
               found->second.diff_running = false;
               found->second.diff_at_ms = clock.now();
               if (!diff.ok()) return;
               found->second.diff = *diff;
               auto& growth = found->second.growth;
               if (growth.size() >= kMostGrowth) growth.erase(growth.begin());
               growth.push_back({found->second.diff_at_ms, diff->lines_added, diff->lines_removed});
             });
}

}  // namespace hydra::race
