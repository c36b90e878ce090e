// support: one child process of a test, with its output read as it comes and a deadline on every wait.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace hydra::e2e {

namespace fs = std::filesystem;
using Environment = std::map<std::string, std::string>;

inline constexpr std::chrono::seconds kDeadline{60};

struct Run {
  int exit = -1;  ///< 128 + signal where a signal ended it; -1 where the deadline passed
  std::string out, err;
};

class Process {
 public:
  Process(const std::vector<std::string>& argv, const fs::path& directory, const Environment& environment,
          std::string input = {});
  /// On a pseudo-terminal: the child's input, output and error are all its other side. Input by type().
  struct OnTerminal {
    unsigned short rows = 24, columns = 100;
  };
  Process(OnTerminal, const std::vector<std::string>& argv, const fs::path& directory,
          const Environment& environment);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads on until a line of standard output contains `text`. False: it ended or the deadline passed before.
  bool wait_line(const std::string& text, std::chrono::milliseconds deadline = kDeadline);
  Run wait(std::chrono::milliseconds deadline = kDeadline);
  /// Reads on until the output since the last wait contains `text`.
  bool wait_text(const std::string& text, std::chrono::milliseconds deadline = kDeadline);
  /// Reads on until `holds`, which is asked after each piece of output, is true.
  bool wait_for(const std::function<bool()>& holds, std::chrono::milliseconds deadline = kDeadline);
  /// The terminal's window has another size from now on.
  void resize(unsigned short rows, unsigned short columns) const;
  /// Types on the terminal: "\x03" is Ctrl-C.
  void type(const std::string& keys) const;
  void signal(int number) const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const std::string& out() const { return out_; }
  [[nodiscard]] const std::string& err() const { return err_; }

 private:
  bool pump(std::chrono::steady_clock::time_point deadline);
  bool read_some(int& fd, std::string& text);
  void feed();

  pid_t pid_ = -1;
  int in_fd_ = -1, out_fd_ = -1, err_fd_ = -1;
  std::string input_, out_, err_;
  std::size_t seen_ = 0;
  std::optional<int> exit_;
};

/// Waits for the end of a process that is no child of ours. False: the deadline passed.
bool wait_gone(pid_t pid, std::chrono::milliseconds deadline = std::chrono::seconds(20));

/// Processes whose environment, working directory or command line names `mark`; not this one.
std::vector<pid_t> processes_with(const std::string& mark);
/// "123 hydrad --ready-fd 3"
std::string describe_process(pid_t pid);
std::string process_name(pid_t pid);
/// 0 where it is gone.
pid_t parent_of(pid_t pid);
std::string slurp(const fs::path& path);

}  // namespace hydra::e2e
