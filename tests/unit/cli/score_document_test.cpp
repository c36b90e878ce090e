// docs/scoring.md: its examples are what `hydra score` answers, its labels and functions are those that
// exist.
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "score_fixture.hpp"
#include "support/places.hpp"

#include <fstream>
#include <sstream>

namespace hydra::cli::score {
namespace {

std::string document() {
  std::ifstream in(places::source("/docs/scoring.md"));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ScoreDocument, ExamplesHold) {
  std::string system, question;
  int examples = 0;
  const auto text = document();
  for (const auto line : lines(text)) {
    if (line.starts_with("```")) system = line.starts_with("```score ") ? line.substr(9) : "";
    if (system.empty()) continue;
    if (line.starts_with("> ")) question = line.substr(2);
    if (!line.starts_with("< ")) continue;
    fixture::expect(system, {question.c_str(), std::string(line.substr(2)).c_str()});
    ++examples;
  }
  EXPECT_GE(examples, 10);
}

TEST(ScoreDocument, EveryFunctionAndLabelIsNamed) {
  const auto text = document();
  std::string help;
  for (const auto& verb : all_verbs())
    if (verb.name == "score")
      for (const auto& example : verb.examples) help += example + "\n";
  for (const auto& system : systems())
    for (const auto& f : system.functions) {
      EXPECT_NE(text.find("`" + std::string(f.name) + "` ("), std::string::npos) << f.name;
      EXPECT_NE(help.find(f.name), std::string::npos) << f.name;
    }
  // Stable: a label that is renamed breaks other programs.
  for (const char* label : {"malformed_json", "not_an_object", "line_too_long", "too_many_values",
                            "duplicate_key", "missing_argument", "wrong_type", "out_of_range",
                            "unknown_function", "unknown_name", "invalid_weights", "nothing_to_weigh",
                            "empty_list", "length_mismatch", "malformed_level_id", "not_representable"}) {
    EXPECT_NE(text.find("`" + std::string(label) + "`"), std::string::npos) << label;
    EXPECT_NE(help.find(label), std::string::npos) << label;
  }
}

}  // namespace
}  // namespace hydra::cli::score
