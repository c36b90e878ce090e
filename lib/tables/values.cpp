#include "tables/values.hpp"

#include <algorithm>

namespace hydra::tables {

void Values::complain_at(std::uint32_t line, std::uint32_t column, std::string message) {
  Error error{Errc::usage, std::move(message), {}, hint_};
  error.where = name_ + ":" + std::to_string(line) + ":" + std::to_string(column);
  errors_.push_back(std::move(error));
}

void Values::complain(const Value& value, std::string message) {
  complain_at(value.node().line, value.node().column, std::move(message));
}

void Values::complain_of_key(const Value& value, std::string message) {
  complain_at(value.node().key_line, value.node().key_column, std::move(message));
}

void Values::unknown(const Value& value, std::string_view where) {
  complain_of_key(value, "unknown key '" + std::string(value.key()) + "'" +
                             (where.empty() ? "" : " in [" + std::string(where) + "]"));
}

std::string_view Values::view(const Value& value) {
  if (value.is(Node::text)) return value.text();
  complain(value, "expected a text");
  return {};
}

bool Values::flag(const Value& value) {
  if (value.is(Node::flag)) return value.number() != 0;
  complain(value, "expected true or false");
  return false;
}

int Values::number(const Value& value, int most) {
  const auto n = value.number();
  if (value.is(Node::number) && n >= 1 && n <= static_cast<std::uint32_t>(most)) return static_cast<int>(n);
  complain(value, "expected a number from 1 to " + std::to_string(most));
  return 1;
}

Texts Values::views(const Value& value) {
  Texts out;
  if (!value.is(Node::list)) complain(value, "expected a list of texts");
  if (value.is(Node::list))
    for (const auto one : value) out.push_back(view(one));
  return out;
}

std::vector<std::string> Values::texts(const Value& value) {
  const auto all = views(value);
  return {all.begin(), all.end()};
}

std::size_t Values::one_of(const Value& value, std::initializer_list<std::string_view> words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto word = words.begin()[i];
    if (value.is(Node::text) && value.text() == word) return i;
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ("\"" + std::string(word) + "\"");
  }
  complain(value, "expected " + list);
  return 0;
}

void Values::fill(const Value& table, std::string_view where,
                  std::initializer_list<std::pair<std::string_view, Target>> to) {
  if (!table.is(Node::table)) return complain(table, "expected a table");
  for (const auto value : table) {
    const auto at =
        std::find_if(to.begin(), to.end(), [&](const auto& target) { return target.first == value.key(); });
    if (at == to.end())
      unknown(value, where);
    else if (auto* const* s = std::get_if<std::string*>(&at->second))
      **s = text(value);
    else if (auto* const* v = std::get_if<std::string_view*>(&at->second))
      **v = view(value);
    else if (auto* const* b = std::get_if<bool*>(&at->second))
      **b = flag(value);
    else if (auto* const* list = std::get_if<std::vector<std::string>*>(&at->second))
      for (auto& one : texts(value)) (*list)->push_back(std::move(one));
    else if (auto* const* seen = std::get_if<Texts*>(&at->second))
      for (const auto one : views(value)) (*seen)->push_back(one);
    else
      std::get<std::function<void(const Value&)>>(at->second)(value);
  }
}

}  // namespace hydra::tables
