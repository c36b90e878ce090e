// tables: a TOML file as a flat list of values. The build generates the lists of built-in files
// (cmake/Tables.cmake), so that a process need not parse TOML at start.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::tables {

/// A value, followed by its `inside` descendants in depth-first order.
struct Node {
  enum Kind : std::uint8_t { table, list, text, number, flag, other };
  std::uint32_t key = 0, key_size = 0;  ///< position in the texts; empty in a list
  std::uint32_t text_at = 0, size = 0;  ///< position of a text; for a number or flag, `size` is the value
  std::uint32_t inside = 0;
  std::uint32_t line = 0, column = 0;  ///< place of the value, from 1
  std::uint32_t key_line = 0, key_column = 0;
  Kind kind = other;
};

/// A view of one value; nodes and texts must outlive the view.
class Value {
 public:
  Value(const Node* node, std::string_view texts) : node_(node), texts_(texts) {}
  std::string_view key() const { return texts_.substr(node_->key, node_->key_size); }
  bool is(Node::Kind kind) const { return node_->kind == kind; }
  std::string_view text() const { return texts_.substr(node_->text_at, node_->size); }
  std::uint32_t number() const { return node_->size; }
  const Node& node() const { return *node_; }

  class Iterator {
   public:
    Iterator(const Node* node, std::string_view texts) : node_(node), texts_(texts) {}
    Value operator*() const { return {node_, texts_}; }
    Iterator& operator++() {
      node_ += 1 + node_->inside;
      return *this;
    }
    bool operator==(const Iterator& other) const { return node_ == other.node_; }

   private:
    const Node* node_;
    std::string_view texts_;
  };
  Iterator begin() const { return {node_ + 1, texts_}; }
  Iterator end() const { return {node_ + 1 + node_->inside, texts_}; }

 private:
  const Node* node_;
  std::string_view texts_;
};

struct Tree {
  std::vector<Node> nodes;
  std::string texts;
};

/// Appends the file as one table with key `name`. False after a complaint about the first syntax error.
bool append(std::string_view name, std::string_view toml, Tree& tree, std::vector<Error>& errors);

/// Built-in files: a list of tables whose keys are the file names.
struct Embedded {
  const Node* nodes;
  std::size_t count;
  std::string_view texts;
};

}  // namespace hydra::tables
