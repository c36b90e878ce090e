// cli: a file or standard input as one text of any size: mapped if possible, else spilled to a temporary
// file. Memory stays bounded.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hydra::cli {

class InputFile {
 public:
  /// Reads the rest of a descriptor. A regular file is mapped; other input above 8 MiB goes to an unlinked
  /// file in `temporary`, which is mapped.
  static Result<InputFile> read(int descriptor, const std::string& temporary);

  /// Maps the output of `produce`, written through an unlinked file in `temporary`.
  using Sink = std::function<void(std::string_view)>;
  static Result<InputFile> produced(const std::string& temporary,
                                    const std::function<void(const Sink&)>& produce);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  /// Returns the text, valid for the life of this object. SIGBUS ends the program if the file shrinks
  /// meanwhile.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] bool mapped() const { return mapping_ != nullptr; }
  /// Lets the kernel drop the pages of this part of text(); a later read loads them again.
  void leave(std::string_view part) const;

 private:
  InputFile() = default;
  static Result<InputFile> map(int descriptor, std::size_t offset, std::size_t size);

  std::string buffer_;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0, skip_ = 0;
};

}  // namespace hydra::cli
