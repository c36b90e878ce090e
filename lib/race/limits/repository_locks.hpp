// race: a lock and a thread per user repository: one merge, undo or clean at a time. The user's hooks may run
// for minutes, so repositories share no thread.
#pragma once

#include "race/offloaded.hpp"
#include "race/work_pool.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hydra::race {

/// Loop thread only, except for work passed to post().
class RepositoryLocks {
 public:
  /// The repository is locked until the last copy is destroyed, on any thread, so that throwing work unlocks
  /// too.
  class Lock {
   public:
    Lock(RepositoryLocks& locks, std::filesystem::path repository);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    RepositoryLocks& locks_;
    std::filesystem::path repository_;
    std::weak_ptr<int> alive_;
  };
  /// Shared, since std::function copies its captures.
  using Held = std::shared_ptr<Lock>;
  using Work = std::function<void(Held)>;

  explicit RepositoryLocks(boost::asio::io_context& loop) : loop_(loop) {}
  ~RepositoryLocks() { join(); }
  RepositoryLocks(const RepositoryLocks&) = delete;
  RepositoryLocks& operator=(const RepositoryLocks&) = delete;

  /// Calls `work` with the lock, in the order of calls. `what`: for people, "the merge of RACE/AGENT".
  void take(const std::filesystem::path& repository, std::string what, Work work);
  /// Returns the holder's `what`; empty: the repository is not locked.
  [[nodiscard]] std::string holder(const std::filesystem::path& repository) const;
  /// Runs blocking work of the lock's holder on the repository's thread, then `done(result)` on the loop.
  template <class Blocking, class Done>
  void post(const std::filesystem::path& repository, Blocking work, Done done) {
    run(repository, offloaded(std::move(work), std::move(done)));
  }
  void run(const std::filesystem::path& repository, std::unique_ptr<Offloaded> job);
  /// Returns the number of unfinished posted jobs; from any thread.
  [[nodiscard]] std::size_t working() const { return working_; }
  /// Waits for posted work; call after the loop has ended.
  void join();

 private:
  struct Waiting {
    std::string what;
    Work work;
  };
  struct Lane {
    std::deque<Waiting> waiting;
    std::string holder;
    std::unique_ptr<WorkPool> thread;
  };
  void next(const std::filesystem::path& repository);

  boost::asio::io_context& loop_;
  std::map<std::filesystem::path, Lane> lanes_;
  std::atomic<std::size_t> working_ = 0;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  ///< tells a Lock whether this object still exists
  WorkPool spare_{1};  ///< for repositories whose thread could not be started
};

}  // namespace hydra::race
