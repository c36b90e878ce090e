// tables: reads a file's values by key and collects every complaint.
#pragma once

#include "tables/tree.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hydra::tables {

using Texts = std::vector<std::string_view>;

/// Base class of the readers of one kind of file. A value of a wrong type is reported and ignored.
class Values {
 protected:
  /// `name`: file name; `hint`: hint of every complaint.
  Values(std::string_view name, std::string_view hint, std::vector<Error>& errors)
      : errors_(errors), name_(name), hint_(hint) {}

  void complain(const Value& value, std::string message);
  void complain_of_key(const Value& value, std::string message);
  /// `where`: name of the table as in "[lint.ruff]"; may be empty.
  void unknown(const Value& value, std::string_view where);

  /// Calls `each` for every element of a list of tables.
  template <class Each>
  void rows(const Value& value, Each each) {
    if (!value.is(Node::list)) return complain(value, "expected a list of tables");
    for (const auto row : value)
      if (row.is(Node::table))
        each(row);
      else
        complain(row, "expected a table");
  }

  std::string_view view(const Value& value);  ///< view into the file's texts
  std::string text(const Value& value) { return std::string(view(value)); }
  bool flag(const Value& value);
  int number(const Value& value, int most);  ///< number from 1 to `most`
  Texts views(const Value& value);
  std::vector<std::string> texts(const Value& value);
  /// Returns the index of a text in `words`.
  std::size_t one_of(const Value& value, std::initializer_list<std::string_view> words);

  /// Destination of a value: a text overwrites, a list is appended.
  using Target = std::variant<std::string*, std::string_view*, bool*, std::vector<std::string>*, Texts*,
                              std::function<void(const Value&)>>;
  /// Reads the table's values by key.
  void fill(const Value& table, std::string_view where,
            std::initializer_list<std::pair<std::string_view, Target>> to);
  /// Complains if one of `needed` is empty.
  template <class Text>
  bool has(const Value& table, std::initializer_list<const Text*> needed, std::string_view what) {
    for (const auto* one : needed)
      if (one->empty()) return complain(table, std::string(what)), false;
    return true;
  }

  std::vector<Error>& errors_;

 private:
  void complain_at(std::uint32_t line, std::uint32_t column, std::string message);

  std::string name_, hint_;
};

}  // namespace hydra::tables
