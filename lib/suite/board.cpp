#include "suite/board.hpp"

namespace hydra::suite {

Board::Board(std::vector<std::string> tasks, std::vector<std::string> entries, int attempts)
    : tasks_(std::move(tasks)), entries_(std::move(entries)), attempts_(attempts) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) task_at_[tasks_[i]] = i;
  for (std::size_t i = 0; i < entries_.size(); ++i) entry_at_[entries_[i]] = i;
  cells_.resize(tasks_.size() * entries_.size() * static_cast<std::size_t>(attempts_));
  spent_.resize(entries_.size());
}

std::size_t Board::index(std::size_t task, std::size_t entry, int attempt) const {
  return (task * entries_.size() + entry) * static_cast<std::size_t>(attempts_) +
         static_cast<std::size_t>(attempt - 1);
}

const Board::Cell* Board::cell(std::size_t task, std::size_t entry, int attempt) const {
  return &cells_[index(task, entry, attempt)];
}

void Board::add(const std::string& task, const std::string& entry, int attempt, const Outcome& outcome) {
  const auto t = task_at_.find(task);
  const auto e = entry_at_.find(entry);
  if (t == task_at_.end() || e == entry_at_.end() || attempt < 1 || attempt > attempts_) return;
  auto& known = cells_[index(t->second, e->second, attempt)];
  if (known.known && !known.last.lost) {
    if (!outcome.lost) ++repeated_;
    return;
  }
  known = {outcome, true};
  if (!outcome.lost) ++verdicts_;
  auto& spent = spent_[e->second];
  if (outcome.cost_usd) {
    spent.priced = true;
    spent.cost_usd += *outcome.cost_usd;
    cost_usd_ += *outcome.cost_usd;
  }
  spent.tokens += outcome.tokens;
  tokens_ += outcome.tokens;
  spent.seconds += outcome.seconds;
}

std::vector<std::pair<std::string, int>> Board::missing(const std::string& task) const {
  std::vector<std::pair<std::string, int>> keys;
  const auto at = task_at_.find(task);
  if (at == task_at_.end()) return keys;
  for (std::size_t entry = 0; entry < entries_.size(); ++entry)
    for (int attempt = 1; attempt <= attempts_; ++attempt)
      if (const auto* known = cell(at->second, entry, attempt); !known->known || known->last.lost)
        keys.emplace_back(entries_[entry], attempt);
  return keys;
}

std::int64_t Board::keys() const { return static_cast<std::int64_t>(cells_.size()); }
std::int64_t Board::verdicts() const { return verdicts_; }

std::vector<Row> Board::rows() const {
  league::League league{entries_, {}};
  std::vector<std::int64_t> open(entries_.size());
  for (std::size_t task = 0; task < tasks_.size(); ++task)
    for (std::size_t entry = 0; entry < entries_.size(); ++entry)
      for (int attempt = 1; attempt <= attempts_; ++attempt) {
        const auto* known = cell(task, entry, attempt);
        open[entry] += known->known ? 0 : 1;
        if (!known->known) continue;
        league.attempts.push_back(known->last);
        league.attempts.back().entry = static_cast<std::uint32_t>(entry);
        league.attempts.back().task = static_cast<std::uint32_t>(task);
      }
  std::vector<Row> rows;
  for (const auto& figures : league::leaderboard(league, {1, 0, false}).rows) {
    Row row{figures};
    if (row.tasks > 0) row.score = static_cast<double>(row.solved) / static_cast<double>(row.tasks);
    row.open = open[figures.index];
    const auto& spent = spent_[figures.index];
    row.cost_usd = spent.priced ? std::optional(spent.cost_usd) : std::nullopt;
    row.tokens = spent.tokens;
    row.seconds = spent.seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

const Outcome* Board::outcome(const std::string& task, const std::string& entry, int attempt) const {
  const auto t = task_at_.find(task);
  const auto e = entry_at_.find(entry);
  if (t == task_at_.end() || e == entry_at_.end() || attempt < 1 || attempt > attempts_) return nullptr;
  const auto* known = cell(t->second, e->second, attempt);
  return known->known ? &known->last : nullptr;
}

}  // namespace hydra::suite
