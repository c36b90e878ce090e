// make_tables OUT SYMBOL FILE... writes a C++ source that defines SYMBOL, an Embedded with the files' values.
// The build runs it (cmake/Tables.cmake).
#include "tables/tree.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>

using namespace hydra;
using namespace hydra::tables;

namespace {

/// Writes the texts in pieces, since a compiler may refuse literals above 64 KiB.
void write_texts(std::ostream& out, const std::string& texts) {
  constexpr std::size_t kPiece = 100;
  constexpr char kDigits[] = "01234567";
  out << "constexpr char kTexts[] =\n";
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
  out << "    \"\";\n";
}

void write_nodes(std::ostream& out, const std::vector<Node>& nodes) {
  out << "constexpr Node kNodes[] = {\n";
  for (const auto& n : nodes)
    out << "{" << n.key << "," << n.key_size << "," << n.text_at << "," << n.size << "," << n.inside << ","
        << n.line << "," << n.column << "," << n.key_line << "," << n.key_column << ",Node::Kind("
        << static_cast<int>(n.kind) << ")},\n";
  out << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Tree tree;
  std::vector<Error> errors;
  for (int i = 3; i < argc; ++i) {
    const std::string path = argv[i];
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    append(path.substr(path.rfind('/') + 1), text.str(), tree, errors);
  }
  for (const auto& error : errors) std::fprintf(stderr, "%s\n", describe(error).c_str());
  if (!errors.empty()) return 1;
  std::ofstream out(argv[1]);
  out << "// Generated from files in TOML.\n#include \"tables/tree.hpp\"\n\nnamespace {\n"
         "using hydra::tables::Node;\n\n";
  write_texts(out, tree.texts);
  write_nodes(out, tree.nodes);
  out << "}  // namespace\n\nextern const hydra::tables::Embedded " << argv[2] << ";\n"
      << "const hydra::tables::Embedded " << argv[2] << "{kNodes, " << tree.nodes.size() << ", {kTexts, "
      << tree.texts.size() << "}};\n";
  return out.flush() ? 0 : 1;
}
