// tables: the files of one kind: built-in ones and the user's.
#pragma once

#include "base/text_file.hpp"
#include "tables/tree.hpp"

#include <deque>
#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

namespace hydra::tables {

/// Adds the contents of one file. Errors carry file, line and column; the rest of a faulty file still counts.
using ReadFileOf = std::function<void(const Value& file, std::vector<Error>& errors)>;

class Library {
 public:
  /// `kind`: name of the file's kind in messages, "format".
  Library(std::string_view kind, const Embedded& own) : kind_(kind), own_(own) {}

  /// Sets the source of the user's files, called once when the first file is needed. Call before read().
  void users(std::function<std::vector<TextFile>()> from) { from_ = std::move(from); }

  /// Reads the user's files, then built-in files of other names, each sorted by name; views into their texts
  /// stay valid. mistakes() reports the user's mistakes; a built-in mistake ends the process.
  void read(const ReadFileOf& read);

 private:
  void read_users();

  std::string_view kind_;
  Embedded own_;
  std::function<std::vector<TextFile>()> from_;
  std::once_flag once_;
  std::deque<Tree> users_;
};

/// Returns every mistake in `files`.
std::vector<Error> mistakes(const std::vector<TextFile>& files, const ReadFileOf& read);

}  // namespace hydra::tables
