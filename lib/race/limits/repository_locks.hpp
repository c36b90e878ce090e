// race: a lock and a thread for each user's repository: one merge, undo or clean at a time. A hook of the
// user's may run for minutes, so repositories share no thread.
#pragma once

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

/// Lives on the loop's thread, but for the work that is given to post().
class RepositoryLocks {
 public:
  /// The repository is locked until the last copy goes, on whatever thread: work that throws unlocks too.
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
  /// Shared, since functions that are kept copy what they hold.
  using Held = std::shared_ptr<Lock>;
  using Work = std::function<void(Held)>;

  explicit RepositoryLocks(boost::asio::io_context& loop) : loop_(loop) {}
  ~RepositoryLocks() { join(); }
  RepositoryLocks(const RepositoryLocks&) = delete;
  RepositoryLocks& operator=(const RepositoryLocks&) = delete;

  /// Calls `work` with the lock, in the order of calls. `what` is for people: "the merge of RACE/AGENT".
  void take(const std::filesystem::path& repository, std::string what, Work work);
  /// `what` of the lock's holder; empty: the repository is not locked.
  [[nodiscard]] std::string holder(const std::filesystem::path& repository) const;
  /// Blocking work of the lock's holder, on the repository's thread.
  void post(const std::filesystem::path& repository, std::function<void()> work);
  /// Posted work that has not ended; from any thread.
  [[nodiscard]] std::size_t working() const { return working_; }
  /// Once the loop is over: waits for the work that was posted.
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
  std::shared_ptr<int> alive_ = std::make_shared<int>();  ///< as long as this is
  WorkPool spare_{1};                                     ///< for those whose thread could not be started
};

}  // namespace hydra::race
