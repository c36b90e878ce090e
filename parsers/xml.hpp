// parsers, inside: the tags of an XML text, one after the other. No tree, no recursion, no external or
// declared entities: an entity bomb is a few bytes of text. Linear in the text.
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
  /// An attribute's value with the predefined and numeric entities resolved; empty where it is absent.
  [[nodiscard]] std::string value(std::string_view attribute) const;
  [[nodiscard]] bool has(std::string_view attribute) const;
};

class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  /// The next tag; false at the end of the root element, of the text, or where a tag is cut.
  bool next(XmlTag& tag);
  /// Whether the root element was closed.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Behind the last tag read.
  [[nodiscard]] std::size_t position() const { return at_; }
  /// Open elements, the last tag's own included if it opens.
  [[nodiscard]] std::size_t depth() const { return depth_; }

 private:
  bool skip_to(std::string_view end, std::size_t from);
  bool skip_doctype();

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0;
  bool ended_ = false;
};

/// Text with the predefined and numeric entities resolved; unknown ones stay as they are.
std::string xml_text(std::string_view raw);

}  // namespace hydra::parsers
