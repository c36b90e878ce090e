// parsers, inside: the values of a file of formats, with every complaint.
#pragma once

#include "parsers/format_tree.hpp"
#include "parsers/formats.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hydra::parsers {

/// What is of another type is complained about, and read as nothing.
class FormatValues {
 protected:
  FormatValues(std::string_view name, std::vector<Error>& errors) : name_(name), errors_(errors) {}

  void complain_at(std::uint32_t line, std::uint32_t column, std::string message) {
    Error error{Errc::usage, std::move(message), {}, "docs/parsers.md describes these files"};
    error.where = name_ + ":" + std::to_string(line) + ":" + std::to_string(column);
    errors_.push_back(std::move(error));
  }
  void complain(const FormatValue& value, std::string message) {
    complain_at(value.node().line, value.node().column, std::move(message));
  }
  void complain_of_key(const FormatValue& value, std::string message) {
    complain_at(value.node().key_line, value.node().key_column, std::move(message));
  }
  void unknown(const FormatValue& value, std::string_view where) {
    complain_of_key(value, "unknown key '" + std::string(value.key()) + "'" +
                               (where.empty() ? "" : " in [" + std::string(where) + "]"));
  }

  template <class Each>
  void tools(const FormatValue& value, Each each) {
    if (!value.is(FormatNode::table)) return complain(value, "expected a table of tools");
    for (const auto tool : value)
      if (tool.is(FormatNode::table))
        each(tool);
      else
        complain_of_key(tool, "'" + std::string(tool.key()) + "' is a table: write its keys below it");
  }
  template <class Each>
  void rows(const FormatValue& value, Each each) {
    if (!value.is(FormatNode::list)) return complain(value, "expected a list of tables");
    for (const auto row : value)
      if (row.is(FormatNode::table))
        each(row);
      else
        complain(row, "expected a table");
  }

  std::string text(const FormatValue& value) {
    if (value.is(FormatNode::text)) return std::string(value.text());
    complain(value, "expected a text");
    return {};
  }
  bool flag(const FormatValue& value) {
    if (value.is(FormatNode::flag)) return value.number() != 0;
    complain(value, "expected true or false");
    return false;
  }
  int number(const FormatValue& value, int most) {
    const auto n = value.number();
    if (value.is(FormatNode::number) && n >= 1 && n <= static_cast<std::uint32_t>(most))
      return static_cast<int>(n);
    complain(value, "expected a number from 1 to " + std::to_string(most));
    return 1;
  }
  std::vector<std::string> texts(const FormatValue& value) {
    std::vector<std::string> out;
    if (!value.is(FormatNode::list)) complain(value, "expected a list of texts");
    if (value.is(FormatNode::list))
      for (const auto one : value) out.push_back(text(one));
    return out;
  }
  Severity severity(const FormatValue& value) {
    const auto word = text(value);
    for (const auto& [name, weight] :
         {std::pair("error", Severity::error), std::pair("warning", Severity::warning),
          std::pair("note", Severity::note)})
      if (word == name) return weight;
    complain(value, "expected \"error\", \"warning\" or \"note\"");
    return Severity::error;
  }
  using Target = std::variant<std::string*, bool*, Severity*, std::vector<std::string>*>;
  /// Values by their keys.
  void fill(const FormatValue& table, std::string_view where,
            std::initializer_list<std::pair<std::string_view, Target>> to) {
    for (const auto value : table) {
      const auto at =
          std::find_if(to.begin(), to.end(), [&](const auto& t) { return t.first == value.key(); });
      if (at == to.end())
        unknown(value, where);
      else if (auto* const* s = std::get_if<std::string*>(&at->second))
        **s = text(value);
      else if (auto* const* b = std::get_if<bool*>(&at->second))
        **b = flag(value);
      else if (auto* const* weight = std::get_if<Severity*>(&at->second))
        **weight = severity(value);
      else
        *std::get<std::vector<std::string>*>(at->second) = texts(value);
    }
  }
  /// Complains where one of `needed` is empty.
  bool has(const FormatValue& table, std::initializer_list<const std::string*> needed,
           std::string_view what) {
    if (std::none_of(needed.begin(), needed.end(), [](const auto* s) { return s->empty(); })) return true;
    complain(table, std::string(what));
    return false;
  }

  std::string name_;
  std::vector<Error>& errors_;
};

}  // namespace hydra::parsers
