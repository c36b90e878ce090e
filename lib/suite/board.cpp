#include "suite/board.hpp"

#include <algorithm>

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
  spent.tokens += outcome.tokens.value_or(0);
  tokens_ += outcome.tokens.value_or(0);
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

Row Board::row_of(std::size_t entry) const {
  Row row;
  row.entry = entries_[entry];
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    bool any = false, passed = false;
    for (int attempt = 1; attempt <= attempts_; ++attempt) {
      const auto* known = cell(task, entry, attempt);
      if (!known->known) {
        ++row.open;
      } else if (known->last.lost) {
        ++row.lost;
      } else {
        any = true;
        ++row.attempts;
        row.successes += known->last.passed ? 1 : 0;
        passed = passed || known->last.passed;
      }
    }
    row.total += any ? 1 : 0;
    row.passed += passed ? 1 : 0;
  }
  if (row.total > 0) row.score = static_cast<double>(row.passed) / static_cast<double>(row.total);
  const auto& spent = spent_[entry];
  if (spent.priced) row.cost_usd = spent.cost_usd;
  row.tokens = spent.tokens;
  row.seconds = spent.seconds;
  return row;
}

std::vector<Row> Board::rows() const {
  std::vector<Row> rows;
  for (std::size_t entry = 0; entry < entries_.size(); ++entry) rows.push_back(row_of(entry));
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].rank = static_cast<int>(i) + 1;
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
