// format_tables OUT FILE...: a C++ source with the values of the files (parsers/format_tree.hpp). Run by the
// build.
#include "parsers/format_tree.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

using namespace hydra;
using namespace hydra::parsers;

namespace {

/// In pieces: a compiler need not take a literal of more than 64 KiB.
void write_texts(std::ostream& out, const std::string& texts) {
  constexpr std::size_t kPiece = 100;
  constexpr char kDigits[] = "01234567";
  out << "const char kFormatTexts[] =\n";
  for (std::size_t at = 0; at < texts.size(); at += kPiece) {
    out << "    \"";
    for (const char c : texts.substr(at, kPiece)) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '?')
        out << c;
      else
        out << '\\' << kDigits[byte / 64] << kDigits[byte / 8 % 8] << kDigits[byte % 8];
    }
    out << "\"\n";
  }
  out << "    \"\";\nconst std::size_t kFormatTexts_size = " << texts.size() << ";\n";
}

void write_nodes(std::ostream& out, const std::vector<FormatNode>& nodes) {
  out << "const FormatNode kFormatNodes[] = {\n";
  for (const auto& n : nodes)
    out << "{" << n.key << "," << n.key_size << "," << n.text_at << "," << n.size << "," << n.inside << ","
        << n.line << "," << n.column << "," << n.key_line << "," << n.key_column << ",FormatNode::Kind("
        << static_cast<int>(n.kind) << ")},\n";
  out << "};\nconst std::size_t kFormatNodes_count = " << nodes.size() << ";\n";
}

}  // namespace

int main(int argc, char** argv) {
  FormatTree tree;
  std::vector<Error> errors;
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i];
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    append_format(path.substr(path.rfind('/') + 1), text.str(), tree, errors);
  }
  for (const auto& error : errors) std::fprintf(stderr, "%s\n", describe(error).c_str());
  if (!errors.empty() || argc < 3) return 1;
  std::ofstream out(argv[1]);
  out << "// Generated from parsers/formats.\n#include \"parsers/format_tree.hpp\"\n\nusing "
         "hydra::parsers::FormatNode;\n\n";
  write_texts(out, tree.texts);
  write_nodes(out, tree.nodes);
  return out.flush() ? 0 : 1;
}
