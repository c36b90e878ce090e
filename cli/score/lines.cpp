#include "cli/score/lines.hpp"

#include <cerrno>
#include <poll.h>
#include <unistd.h>
#include <vector>

namespace hydra::cli::score {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

/// Waits for a descriptor that another process made non-blocking.
void wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  (void)::poll(&p, 1, -1);
}

Result<std::size_t> read_some(int fd, char* to, std::size_t size) {
  for (;;) {
    const auto n = ::read(fd, to, size);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_for(fd, POLLIN);
    } else if (errno != EINTR) {
      auto error = system_error("cannot read the input", errno);
      error.where = "input";
      return error;
    }
  }
}

Result<void> write_all(int fd, std::string& out) {
  for (std::size_t at = 0; at < out.size();) {
    const auto n = ::write(fd, out.data() + at, out.size() - at);
    if (n >= 0) {
      at += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_for(fd, POLLOUT);
    } else if (errno != EINTR) {
      auto error = system_error("cannot write the answers", errno);
      error.where = "output";
      return error;
    }
  }
  out.clear();
  if (out.capacity() > 8 * kPiece) out = {};
  return {};
}

/// The current unfinished line, in any number of chunks.
class Pending {
 public:
  explicit Pending(const LineHandler& handler) : handler_(handler) {}

  void add(std::string_view part, std::string& out) {
    if (dropping_) return;
    if (text_.size() + part.size() <= kLongestLine) {
      text_ += part;
      return;
    }
    dropping_ = true;
    text_ = {};
    handler_.too_long(out);
  }
  void end(std::string_view part, std::string& out) {
    if (text_.empty() && !dropping_ && part.size() <= kLongestLine) {
      handler_.line(part, out);
      return;
    }
    add(part, out);
    if (!dropping_) handler_.line(text_, out);
    dropping_ = false;
    text_.clear();
    if (text_.capacity() > kPiece) text_ = {};
  }
  [[nodiscard]] bool begun() const { return !text_.empty(); }

 private:
  const LineHandler& handler_;
  std::string text_;
  bool dropping_ = false;
};

}  // namespace

Result<void> answer_lines(int input, int output, const LineHandler& handler) {
  std::vector<char> piece(kPiece);
  Pending pending(handler);
  std::string out;
  for (;;) {
    HYDRA_TRY(const std::size_t n, read_some(input, piece.data(), piece.size()));
    if (n == 0) break;
    std::string_view rest(piece.data(), n);
    for (auto newline = rest.find('\n'); newline != std::string_view::npos; newline = rest.find('\n')) {
      pending.end(rest.substr(0, newline), out);
      rest.remove_prefix(newline + 1);
      if (out.size() > kPiece) HYDRA_CHECK(write_all(output, out));
    }
    if (!rest.empty()) pending.add(rest, out);
    HYDRA_CHECK(write_all(output, out));
  }
  if (pending.begun()) pending.end({}, out);
  return write_all(output, out);
}

}  // namespace hydra::cli::score
