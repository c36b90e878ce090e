#include "cli/render/man_page.hpp"

#include "cli/app.hpp"
#include "config/config.hpp"

#include <gmock/gmock.h>

namespace hydra::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ManPage, OfEachVerbNamesWhatItTakes) {
  for (const auto& verb : all_verbs()) {
    const auto page = man_of_verb(verb);
    EXPECT_THAT(page, HasSubstr(".SH NAME\nhydra\\-")) << verb.name;
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS")) << verb.name;
    for (const auto& child : verb.children)
      EXPECT_THAT(page, HasSubstr(".SS hydra " + verb.name + " " + child.name)) << verb.name;
  }
  const auto verbs = all_verbs();
  EXPECT_THAT(man_of_verb(verbs.front()), HasSubstr("\\fB\\-\\-agents\\fR, \\fB\\-a\\fR \\fILIST\\fR"));
}

TEST(ManPage, TextIsNoRequestOfRoff) {
  const Verb verb{"x", "sum", {".B it's", "'quote \\fB"}, {}, [](Context&) { return 0; }, {}};
  const auto page = man_of_verb(verb);
  EXPECT_THAT(page, HasSubstr("\n\\&.B it's\n"));
  EXPECT_THAT(page, HasSubstr("\n\\&'quote \\efB\n"));
}

TEST(ManPage, OfTheConfigurationHasEveryKey) {
  const auto page = man_of_config(config::all_keys());
  EXPECT_THAT(page, HasSubstr("\\fBtest_command = "));
  EXPECT_THAT(page, HasSubstr(".SH [scoring]"));
  EXPECT_THAT(page, Not(HasSubstr("\n#")));
}

TEST(ManPage, OfTheProgramListsItsVerbs) {
  const auto page = man_of_hydra(all_verbs(), "hydra - x\n\n.text\n");
  EXPECT_THAT(page, HasSubstr(".BR hydra\\-race (1)"));
  EXPECT_THAT(page, HasSubstr("\n\\&.text\n"));
}

}  // namespace
}  // namespace hydra::cli
