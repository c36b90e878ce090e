// parsers, inside: the tags of an XML text, in order. No tree, no recursion, no external or declared entities
// (an entity bomb is a few bytes of text). Linear in the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hydra::parsers {

struct XmlTag {
  enum class Kind { open, close, empty };
  Kind kind = Kind::open;
  std::string_view name;        ///< without a namespace prefix
  std::string_view attributes;  ///< as written

  [[nodiscard]] bool is(std::string_view wanted) const { return name == wanted; }
  [[nodiscard]] bool begins() const { return kind != Kind::close; }
  /// Returns the attribute's value with predefined and numeric entities resolved; empty when absent.
  [[nodiscard]] std::string value(std::string_view attribute) const;
  [[nodiscard]] bool has(std::string_view attribute) const;
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  /// Reads the next tag; false at the end of the root element or of the text, or at a cut tag.
  bool next(XmlTag& tag);
  /// Returns whether the root element was closed.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Returns the offset behind the last tag read.
  [[nodiscard]] std::size_t position() const { return at_; }
  /// Returns the number of open elements, including the last tag's own if it opens.
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  bool skip_to(std::string_view end, std::size_t from);
  bool skip_doctype();

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  bool ended_ = false;
};

/// Returns the text with predefined and numeric entities resolved; unknown entities stay.
std::string xml_text(std::string_view raw);

}  // namespace hydra::parsers
