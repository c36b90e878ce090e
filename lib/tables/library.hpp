// tables: the files of one kind: those that are part of the program, and a user's own.
#pragma once

#include "base/text_file.hpp"
#include "tables/tree.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

namespace hydra::tables {

/// Adds what one file says; a complaint names file, line and column, and the rest of the file still counts.
using ReadFileOf = std::function<void(const Value& file, std::vector<Error>& errors)>;

class Library {
 public:
  /// `kind`: what a file of it is called in messages, "format".
  Library(std::string_view kind, const Embedded& own) : kind_(kind), own_(own) {}

  /// Where the user's files come from; asked once, when the first file is needed. To be set before that.
  void users(std::function<std::vector<TextFile>()> from) { from_ = std::move(from); }

  /// The user's files, then the program's own, less those whose name a user's file has; in the order of their
  /// names. Mistakes of the user's are left to mistakes(); one in the program's own ends the process. What is
  /// read may keep views into the files' texts: they stay as long as the library.
  void read(const ReadFileOf& read);

 private:
  void read_users();

  std::string_view kind_;
  Embedded own_;
  std::function<std::vector<TextFile>()> from_;
  std::once_flag once_;
  std::deque<Tree> users_;
};

/// Every mistake in `files`.
std::vector<Error> mistakes(const std::vector<TextFile>& files, const ReadFileOf& read);

}  // namespace hydra::tables
