// tables: a TOML file as a flat list of values. The build makes such lists of the files that are part of the
// program (cmake/Tables.cmake), so that a process need not read TOML before it knows what they say.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::tables {

/// One value; those inside of it follow, `inside` of them, each behind what is inside the one before.
struct Node {
  enum Kind : std::uint8_t { table, list, text, number, flag, other };
  std::uint32_t key = 0, key_size = 0;  ///< where in the texts; empty in a list
  std::uint32_t text_at = 0, size = 0;  ///< of a text; of a number or flag `size` is the value
  std::uint32_t inside = 0;
  std::uint32_t line = 0, column = 0;  ///< of the value, from 1
  std::uint32_t key_line = 0, key_column = 0;
  Kind kind = other;
};

/// A view of one value; the nodes and texts must outlive it.
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

/// Appends the file as one table whose key is `name`. False after a complaint about its first syntax error.
bool append(std::string_view name, std::string_view toml, Tree& tree, std::vector<Error>& errors);

/// Files that are part of the program: a list of tables whose keys are the files' names.
struct Embedded {
  const Node* nodes;
  std::size_t count;
  std::string_view texts;
};

}  // namespace hydra::tables
