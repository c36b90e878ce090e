#include "race/limits/turns.hpp"

#include <boost/asio/post.hpp>

#include <system_error>
#include <utility>

namespace hydra::race {

Turns::Turn::Turn(Turns& turns, std::filesystem::path repository)
    : turns_(turns), repository_(std::move(repository)), alive_(turns.alive_) {}

Turns::Turn::~Turn() {
  if (alive_.expired()) return;
  boost::asio::post(turns_.loop_, [&turns = turns_, repository = repository_, alive = alive_] {
    if (!alive.expired()) turns.next(repository);
  });
}

void Turns::take(const std::filesystem::path& repository, std::string what, Work work) {
  const auto [lane, free] = lanes_.try_emplace(repository);
  lane->second.waiting.push_back({std::move(what), std::move(work)});
  if (free) next(repository);
}

void Turns::next(const std::filesystem::path& repository) {
  const auto lane = lanes_.find(repository);
  if (lane->second.waiting.empty()) {
    lanes_.erase(lane);
    return;
  }
  auto turn = std::move(lane->second.waiting.front());
  lane->second.waiting.pop_front();
  lane->second.holder = std::move(turn.what);
  turn.work(std::make_shared<Turn>(*this, repository));
}

std::string Turns::holder(const std::filesystem::path& repository) const {
  const auto lane = lanes_.find(repository);
  return lane == lanes_.end() ? std::string{} : lane->second.holder;
}

void Turns::post(const std::filesystem::path& repository, std::function<void()> work) {
  auto& lane = lanes_[repository];
  try {
    if (!lane.thread) lane.thread = std::make_unique<WorkPool>(1);
  } catch (const std::system_error& e) {
    log::warn("no thread for work in {}: {}", repository.string(), e.what());
  }
  ++working_;
  boost::asio::post(lane.thread ? *lane.thread : spare_, [this, work = std::move(work)] {
    struct Ended {
      std::atomic<std::size_t>& count;
      ~Ended() { --count; }
    } const ended{working_};
    work();
  });
}

void Turns::join() {
  for (auto& [repository, lane] : lanes_)
    if (lane.thread) lane.thread->join();
  spare_.join();
}

}  // namespace hydra::race
