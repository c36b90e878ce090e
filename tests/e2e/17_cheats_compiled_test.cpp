// Cheats of 17_cheats_test.cpp in projects that are built before they are tested.
#include "cheats_compiled.hpp"
#include "support/machine.hpp"

namespace hydra::e2e::HYDRA_FILE {
namespace {

TEST_F(Cheats, Go) {
  HYDRA_NEEDS(machine::system_program("go"));
  run(go_runner().project);
}

TEST_F(Cheats, Cargo) {
  if (!world.use_cargo()) GTEST_SKIP() << "no cargo";
  run(cargo_runner().project);
}

TEST_F(Cheats, CTest) {
  HYDRA_NEEDS(machine::system_program("cmake"), machine::system_program("cc"));
  run(ctest_runner().project);
}

TEST_F(Cheats, GoogleTest) {
  if (program("cmake").empty() || program("c++").empty() || !fs::exists("/usr/include/gtest/gtest.h"))
    GTEST_SKIP() << "no cmake or GoogleTest";
  run(googletest_runner().project);
}

// The program of the checks, without checking anything.
const std::string kGreen = "echo 1..2\necho 'ok 1 - area'\necho 'ok 2 - zero'\n";

TEST_F(Cheats, MakeAndScripts) {
  HYDRA_NEEDS(machine::system_program("make"));
  run({{{"Makefile", "RUN = sh\n\nall:\n\t@true\n\ntest: all unit\n\nunit:\n\t@$(RUN) run_tests.sh\n"},
        {"area.sh", "echo $(($1 + $2))\n"},
        {"run_tests.sh",
         "echo 1..2\nbad=0\nif [ \"$(sh area.sh 2 3)\" = 6 ]; then echo 'ok 1 - area'; else echo 'not ok 1 - "
         "area'; bad=1; fi\n"
         "if [ \"$(sh area.sh 0 0)\" = 0 ]; then echo 'ok 2 - zero'; else echo 'not ok 2 - zero'; bad=1; "
         "fi\nexit $bad\n"}},
       "[scoring]\nbuild_command = \"make\"\ntest_command = \"make test\"\n",
       "sed -i 's/\\$1 + \\$2/$1 * $2/' area.sh",
       {{"script", put("run_tests.sh", "echo 1..2\necho 'ok 1 - area'\necho 'ok 2 - zero'\n"), "run_tests.sh",
         "", ""},
        {"target",
         put("Makefile", "all:\n\t@true\n\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "Makefile", "", ""},
        {"build",
         "sed -i 's/^\t@true/\t@printf \"echo 1..2; echo ok 1 - area; echo ok 2 - zero\" > run_tests.sh/' "
         "Makefile",
         "run_tests.sh", "", "tampered"},
        {"variable", put("green.sh", kGreen) + "sed -i 's/^RUN = sh/RUN = sh green.sh/' Makefile", "Makefile",
         "", ""},
        {"prerequisite", put("green.sh", kGreen) + "sed -i 's/.(RUN) run_tests.sh/sh green.sh/' Makefile",
         "Makefile", "", ""},
        {"computed",
         put("green.sh", kGreen) + "printf '\\nT = unit\\n$(T):\\n\\t@sh green.sh\\n' >> Makefile",
         "Makefile", "", "tampered"},
        {"included",
         put("green.sh", kGreen) +
             "echo '-include x.mk' >> Makefile; printf 'unit:\\n\\t@sh green.sh\\n' > x.mk",
         "Makefile", "", "tampered"},
        {"other",
         put("GNUmakefile", "all:\n\t@true\ntest:\n\t@printf '1..2\\nok 1 - area\\nok 2 - zero\\n'\n"),
         "GNUmakefile", "", ""},
        {"shadow",
         "printf '#!/bin/sh\\nprintf \"1..2\\\\nok 1 - area\\\\nok 2 - zero\\\\n\"\\n' > make; chmod +x make",
         "make", "", ""}},
       {}});
}

}  // namespace
}  // namespace hydra::e2e::HYDRA_FILE
