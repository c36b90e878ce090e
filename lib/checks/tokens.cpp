#include "checks/tokens.hpp"

#include "base/strings.hpp"
#include "mutants/tokens.hpp"

#include <string>

namespace hydra::checks {
namespace {

using Text = std::string_view;

bool listed_word(Text list, Text item) {
  return !item.empty() && (" " + std::string(list) + " ").find(" " + std::string(item) + " ") != Text::npos;
}

}  // namespace

bool same_tokens(std::string_view path, std::string_view before, std::string_view after) {
  const auto old_tokens = mutants::scan(path, before);
  if (!old_tokens) return false;
  const auto new_tokens = mutants::scan(path, after);
  return new_tokens && old_tokens->normal == new_tokens->normal;
}

bool is_documentation(std::string_view path) {
  const auto name = to_lower(base_name(path));
  const auto dot = name.rfind('.');
  const auto stem = Text(name).substr(0, dot);
  const auto extension = dot == std::string::npos ? Text() : Text(name).substr(dot);
  if (listed_word(".md .markdown .mdown .mkd .rst .adoc .asciidoc .textile .rdoc .org", extension))
    return true;
  const bool plain = extension.empty() || extension == ".txt";
  if (plain &&
      listed_word(
          "readme changelog changes history news license licence copying authors contributors contributing "
          "notice todo code_of_conduct security maintainers thanks",
          stem))
    return true;
  const auto whole = "/" + to_lower(path);
  const bool below_docs =
      whole.find("/docs/") != std::string::npos || whole.find("/doc/") != std::string::npos;
  return below_docs && listed_word(".txt .png .jpg .jpeg .gif .svg .webp .pdf", extension);
}

}  // namespace hydra::checks
