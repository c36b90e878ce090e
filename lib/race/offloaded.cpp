#include "race/offloaded.hpp"

#include "base/loop_work.hpp"

#include <boost/asio/post.hpp>
#include <boost/core/demangle.hpp>

#include <typeinfo>

namespace hydra::race {

void run_offloaded(boost::asio::io_context& pool, boost::asio::io_context& loop,
                   std::unique_ptr<Offloaded> job, std::function<void()> worked) {
  boost::asio::post(pool, [&loop, job = std::move(job), worked = std::move(worked)]() mutable {
    job->work();
    boost::asio::post(loop, [job = std::move(job)] {
      const auto& answered = *job;
      name_loop_work(boost::core::demangle(typeid(answered).name()));
      job->done();
    });
    if (worked) worked();
  });
}

}  // namespace hydra::race
