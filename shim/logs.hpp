// hydra-shim: one log. Bytes are appended only; the middle between a head and a tail is punched out, so
// offsets never change and a flood takes bounded disk space.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shim {

class Log {
 public:
  /// Makes the empty file. False with errno.
  bool open(const std::string& path, std::uint64_t head, std::uint64_t tail);
  void append(std::string_view bytes);
  /// Writes bytes still in memory (only where holes can't be punched).
  void finish();

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t hole_from() const { return hole_from_; }
  [[nodiscard]] std::uint64_t hole_to() const { return hole_to_; }
  /// errno of the first failed write; 0: none. Later bytes are counted and dropped.
  [[nodiscard]] int write_error() const { return error_; }

 private:
  void write_at(std::string_view bytes, std::uint64_t offset);
  void punch();
  [[nodiscard]] bool punched(std::uint64_t from, std::uint64_t size) const;

  int fd_ = -1;
  std::uint64_t head_ = 0, tail_ = 0, step_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t hole_from_ = 0, hole_to_ = 0;
  bool can_punch_ = true;
  std::string memory_;  ///< tail of the log, after punching has failed
  int error_ = 0;
};

}  // namespace shim
