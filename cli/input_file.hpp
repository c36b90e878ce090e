// cli: a whole file or standard input as one text, however large: mapped where that is possible, spilled to a
// temporary file where it is not. Memory stays bounded.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

class InputFile {
 public:
  /// The rest of an open descriptor. A regular file is mapped; anything else is read to its end, what exceeds
  /// 8 MiB of it through an unlinked temporary file in `temporary` (then mapped).
  static Result<InputFile> read(int descriptor, const std::string& temporary);

  /// What `produce` gives to the function that it gets, by way of an unlinked file in `temporary`, mapped.
  using Sink = std::function<void(std::string_view)>;
  static Result<InputFile> produced(const std::string& temporary,
                                    const std::function<void(const Sink&)>& produce);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  /// Valid as long as this object lives. A file that shrinks meanwhile ends the program with SIGBUS.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool mapped() const { return mapping_ != nullptr; }
  /// The pages of this part of text() need not stay in memory; they come back when they are read again.
  void leave(std::string_view part) const;

 private:
  InputFile() = default;
  static Result<InputFile> map(int descriptor, std::size_t offset, std::size_t size);

  std::string buffer_;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0, skip_ = 0;
};

}  // namespace hydra::cli
