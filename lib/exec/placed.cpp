#include "exec/slurm.hpp"

namespace hydra::exec {
namespace {

class Placed final : public Executor {
 public:
  Placed(Executor& local, Executor& cluster) : local_(local), cluster_(cluster) {}
  [[nodiscard]] ExecutorCaps caps() const override { return local_.caps(); }
  Result<void> submit(const JobSpec& spec, OnEnd on_end) override {
    return (spec.cluster ? cluster_ : local_).submit(spec, std::move(on_end));
  }
  void cancel(const std::string& key) override {
    local_.cancel(key);
    cluster_.cancel(key);
  }
  void release(const std::string& key) override {
    local_.release(key);
    cluster_.release(key);
  }
  [[nodiscard]] std::vector<std::string> running() const override {
    auto keys = local_.running();
    for (auto& key : cluster_.running()) keys.push_back(std::move(key));
    return keys;
  }

 private:
  Executor& local_;
  Executor& cluster_;
};

}  // namespace

std::unique_ptr<Executor> make_placed_executor(Executor& local, Executor& cluster) {
  return std::make_unique<Placed>(local, cluster);
}

}  // namespace hydra::exec
