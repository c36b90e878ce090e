#include "integrity/protect/test_items.hpp"

#include "base/strings.hpp"
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace hydra::integrity {
namespace {

using Text = std::string_view;

struct TestPart {
  std::string tokens;    ///< attributes and code; comments and white space dropped
  bool is_test = false;  ///< has an attribute like #[test], #[tokio::test] or #[rstest]
};

struct TestBlock {
  std::size_t begin = 0, end = 0;  ///< bytes of the item with its attributes
  std::string head;                ///< "mod tests", "use crate::fake"
  bool is_module = false;
  std::vector<TestPart> parts;  ///< items of a module with a body; else the item itself
};

/// Reads the items that are compiled for tests only.
class RustFile {
 public:
  RustFile(Text text, const source::Scan& scan) : text_(text), tokens_(scan.tokens) {
    for (std::size_t i = 0; i < tokens_.size();) {
      const auto item = read_item(i);
      if (!is_for_tests(item)) {
        ++i;
        continue;
      }
      blocks.push_back(block_of(item));
      i = item.end;
    }
  }
  std::vector<TestBlock> blocks;

 private:
  /// Tokens [begin, code) are attributes, [code, end) the item; `body`: its first brace, else `end`.
  struct Item {
    std::size_t begin = 0, code = 0, body = 0, end = 0;
  };

  [[nodiscard]] Text at(std::size_t i) const {
    return i < tokens_.size() ? text_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : Text();
  }
  /// Returns the token behind the closing bracket of the opening one at `i`.
  [[nodiscard]] std::size_t behind(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      const auto own = at(i);
      if (own == "(" || own == "[" || own == "{") ++depth;
      if ((own == ")" || own == "]" || own == "}") && --depth == 0) return i + 1;
    }
    return i;
  }
  [[nodiscard]] Item read_item(std::size_t i) const {
    // Braces of these belong to a value or a list, which a semicolon ends.
    constexpr std::array<Text, 5> kUpToSemicolon{"use", "const", "static", "type", "let"};
    Item item{i, i, 0, 0};
    while (at(item.code) == "#" && at(item.code + 1) == "[") item.code = behind(item.code + 1);
    bool braces_end = true;
    for (item.end = item.code; item.end < tokens_.size();) {
      const auto own = at(item.end);
      if (own == ";" || own == "}") {
        item.end += own == ";" ? 1 : 0;
        break;
      }
      // "const fn" is a function.
      if (item.body == 0 &&
          std::find(kUpToSemicolon.begin(), kUpToSemicolon.end(), own) != kUpToSemicolon.end())
        braces_end = false;
      if (own == "fn") braces_end = true;
      if (own == "{" && braces_end) {
        item.body = item.end;
        item.end = behind(item.end);
        break;
      }
      item.end = own == "(" || own == "[" || own == "{" ? behind(item.end) : item.end + 1;
    }
    if (item.body == 0) item.body = item.end;
    return item;
  }
  [[nodiscard]] bool has_word(std::size_t from, std::size_t to, Text word) const {
    for (; from < to; ++from)
      if (at(from) == word) return true;
    return false;
  }
  [[nodiscard]] bool is_for_tests(const Item& item) const {
    return item.code > item.begin && has_word(item.begin, item.code, "cfg") &&
           has_word(item.begin, item.code, "test") && !has_word(item.begin, item.code, "not");
  }
  [[nodiscard]] std::string join(std::size_t from, std::size_t to) const {
    std::string out;
    for (; from < to; ++from) out.append(out.empty() ? "" : " ").append(at(from));
    return out;
  }
  [[nodiscard]] TestPart part_of(const Item& item) const {
    TestPart part{join(item.begin, item.end), false};
    for (auto i = item.begin + 1; i < item.code; ++i) {
      const bool name = at(i - 1) == "[" || at(i - 1) == "::";
      if (name && (at(i) == "test" || at(i).ends_with("_test") || at(i) == "rstest" || at(i) == "test_case"))
        part.is_test = true;
    }
    return part;
  }
  [[nodiscard]] TestBlock block_of(const Item& item) const {
    TestBlock block{
        tokens_[item.begin].begin, tokens_[item.end - 1].end, join(item.code, item.body), false, {}};
    block.is_module = has_word(item.code, item.body, "mod");
    if (!block.is_module || item.body == item.end) {
      block.parts.push_back(part_of(item));
      return block;
    }
    for (auto i = item.body + 1; i + 1 < item.end;) {
      const auto inner = read_item(i);
      if (inner.end <= i) break;
      block.parts.push_back(part_of(inner));
      i = inner.end;
    }
    return block;
  }

  Text text_;
  const std::vector<source::Token>& tokens_;
};

bool reaches_outside(const TestBlock& block) {
  return std::any_of(block.parts.begin(), block.parts.end(), [](const TestPart& part) {
    return part.tokens.find("macro_rules") != std::string::npos ||
           part.tokens.find("macro_export") != std::string::npos;
  });
}

/// Returns whether the candidate keeps each item of the base, and what it adds can't change their meaning:
/// tests, imports of the parent module, and modules beside theirs.
bool only_adds_tests(const std::vector<TestBlock>& base, const std::vector<TestBlock>& candidate) {
  std::multiset<std::string> known;
  std::set<std::string> heads;
  for (const auto& block : base) {
    heads.insert(block.head);
    for (const auto& part : block.parts) known.insert(part.tokens);
  }
  for (const auto& block : candidate) {
    const bool beside = block.is_module && !heads.contains(block.head) && !reaches_outside(block);
    for (const auto& part : block.parts)
      if (const auto found = known.find(part.tokens); found != known.end())
        known.erase(found);
      else if (!beside && !part.is_test && part.tokens != "use super :: * ;")
        return false;
  }
  return known.empty();
}

}  // namespace

std::optional<TestItems> restore_test_items(std::string_view base, std::string_view candidate) {
  const auto before = source::scan("x.rs", base), after = source::scan("x.rs", candidate);
  if (!before || !after) return std::nullopt;
  const auto theirs = RustFile(base, *before).blocks, own = RustFile(candidate, *after).blocks;
  TestItems out;
  if (only_adds_tests(theirs, own)) return out;
  std::multimap<std::string, const TestBlock*> left;
  for (const auto& block : theirs) left.emplace(block.head, &block);
  std::size_t at = 0;
  for (const auto& block : own) {
    out.text += candidate.substr(at, block.begin - at);
    at = block.end;
    out.heads.push_back(block.head);
    if (const auto found = left.find(block.head); found != left.end()) {
      out.text += base.substr(found->second->begin, found->second->end - found->second->begin);
      left.erase(found);
    } else if (block.is_module && !reaches_outside(block)) {
      out.text += candidate.substr(block.begin, block.end - block.begin);
      out.heads.pop_back();
    }
  }
  out.text += candidate.substr(at);
  for (const auto& [head, block] : left) {
    out.text += "\n" + std::string(base.substr(block->begin, block->end - block->begin)) + "\n";
    out.heads.push_back(head);
  }
  return out;
}

SplitText without_test_items(std::string_view text) {
  const auto scan = source::scan("x.rs", text);
  if (!scan) return {std::string(text), {}};
  SplitText out;
  std::size_t at = 0;
  for (const auto& block : RustFile(text, *scan).blocks) {
    out.product += text.substr(at, block.begin - at);
    out.tests += std::string(text.substr(block.begin, block.end - block.begin)) + "\n";
    at = block.end;
  }
  out.product += text.substr(at);
  return out;
}

}  // namespace hydra::integrity
