#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 0
#endif
#include "tables/tree.hpp"

#include "base/toml.hpp"

#include <algorithm>
#include <limits>

namespace hydra::tables {
namespace {

class Flattening {
 public:
  explicit Flattening(Tree& tree) : tree_(tree) {}

  void add(std::string_view key, const toml::source_region& at, const toml::node& value) {
    const auto here = tree_.nodes.size();
    Node node;
    node.key_size = size_of(key);
    node.key = keep(key);
    node.key_line = at.begin.line;
    node.key_column = at.begin.column;
    node.line = value.source().begin.line;
    node.column = value.source().begin.column;
    if (const auto* s = value.as_string()) {
      node.kind = Node::text;
      node.size = size_of(s->get());
      node.text_at = keep(s->get());
    } else if (const auto* b = value.as_boolean()) {
      node.kind = Node::flag;
      node.size = b->get() ? 1 : 0;
    } else if (const auto* n = value.as_integer(); n != nullptr && n->get() >= 0) {
      node.kind = Node::number;
      node.size = static_cast<std::uint32_t>(
          std::min<std::int64_t>(n->get(), std::numeric_limits<std::uint32_t>::max()));
    }
    tree_.nodes.push_back(node);
    if (const auto* table = value.as_table()) {
      tree_.nodes[here].kind = Node::table;
      for (const auto& [name, inner] : *table) add(name.str(), name.source(), inner);
    } else if (const auto* list = value.as_array()) {
      tree_.nodes[here].kind = Node::list;
      for (const auto& inner : *list) add({}, inner.source(), inner);
    }
    tree_.nodes[here].inside = static_cast<std::uint32_t>(tree_.nodes.size() - here - 1);
  }

 private:
  static std::uint32_t size_of(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }
  std::uint32_t keep(std::string_view text) {
    const auto at = static_cast<std::uint32_t>(tree_.texts.size());
    tree_.texts += text;
    return at;
  }

  Tree& tree_;
};

}  // namespace

bool append(std::string_view name, std::string_view text, Tree& tree, std::vector<Error>& errors) {
  const auto complain = [&](std::string what, std::string where) {
    errors.push_back({Errc::usage, std::move(what), std::string(name) + where, {}});
    return false;
  };
  try {
    const auto root = parse_toml(text);
    Flattening(tree).add(name, {}, root);
    return true;
  } catch (const toml::parse_error& error) {
    const auto at = error.source().begin;
    return complain(std::string(error.description()),
                    ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
  } catch (const std::exception& error) {
    return complain(std::string("can't be read: ") + error.what(), "");
  }
}

}  // namespace hydra::tables
