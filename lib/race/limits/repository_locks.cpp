#include "race/limits/repository_locks.hpp"

#include <boost/asio/post.hpp>

#include <system_error>
#include <utility>

namespace hydra::race {

RepositoryLocks::Lock::Lock(RepositoryLocks& locks, std::filesystem::path repository)
    : locks_(locks), repository_(std::move(repository)), alive_(locks.alive_) {}

RepositoryLocks::Lock::~Lock() {
  if (alive_.expired()) return;
  boost::asio::post(locks_.loop_, [&locks = locks_, repository = repository_, alive = alive_] {
    if (!alive.expired()) locks.next(repository);
  });
}

void RepositoryLocks::take(const std::filesystem::path& repository, std::string what, Work work) {
  const auto [lane, free] = lanes_.try_emplace(repository);
  lane->second.waiting.push_back({std::move(what), std::move(work)});
  if (free) next(repository);
}

void RepositoryLocks::next(const std::filesystem::path& repository) {
  const auto lane = lanes_.find(repository);
  if (lane->second.waiting.empty()) {
    lanes_.erase(lane);
    return;
  }
  auto turn = std::move(lane->second.waiting.front());
  lane->second.waiting.pop_front();
  lane->second.holder = std::move(turn.what);
  turn.work(std::make_shared<Lock>(*this, repository));
}

std::string RepositoryLocks::holder(const std::filesystem::path& repository) const {
  const auto lane = lanes_.find(repository);
  return lane == lanes_.end() ? std::string{} : lane->second.holder;
}

void RepositoryLocks::run(const std::filesystem::path& repository, std::unique_ptr<Offloaded> job) {
  auto& lane = lanes_[repository];
  try {
    if (!lane.thread) lane.thread = std::make_unique<WorkPool>(1);
  } catch (const std::system_error& e) {
    log::warn("no thread for work in {}: {}", repository.string(), e.what());
  }
  ++working_;
  run_offloaded(lane.thread ? *lane.thread : spare_, loop_, std::move(job), [this] { --working_; });
}

void RepositoryLocks::join() {
  for (auto& [repository, lane] : lanes_)
    if (lane.thread) lane.thread->join();
  spare_.join();
}

}  // namespace hydra::race
