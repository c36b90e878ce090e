// race: turns at users' repositories: one merge, undo or clean at a time in each of them, and none waits for
// what goes on in another. A hook of the user's may keep a turn for minutes, so each turn has its own thread.
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
class Turns {
 public:
  /// It is somebody's turn as long as this is held, on whatever thread: work that throws drops what it holds,
  /// and then the turn is over too.
  class Turn {
   public:
    Turn(Turns& turns, std::filesystem::path repository);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
    std::filesystem::path repository_;
    std::weak_ptr<int> alive_;
  };
  /// Shared, since functions that are kept copy what they hold.
  using Held = std::shared_ptr<Turn>;
  using Work = std::function<void(Held)>;

  explicit Turns(boost::asio::io_context& loop) : loop_(loop) {}
  ~Turns() { join(); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Calls `work`, at once or behind those who came before. `what` is for people: "the merge of RACE/AGENT".
  void take(const std::filesystem::path& repository, std::string what, Work work);
  /// Who has the turn there; empty: nobody.
  [[nodiscard]] std::string holder(const std::filesystem::path& repository) const;
  /// Blocking work of who has the turn, on a thread that no other repository uses.
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
