// Abilities and programs of the machine that runs the tests. A test names what it needs with HYDRA_NEEDS and
// is skipped with that word elsewhere; HYDRA_REQUIRE=namespaces,overlays turns such a skip into a failure.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hydra::machine {

enum class Ability {
  namespaces,   ///< user namespaces
  mounts,       ///< file systems, in this process's own namespace
  overlays,     ///< overlays of the kernel, below /tmp
  cgroups,      ///< control groups that this process may make and enter
  sandbox,      ///< bubblewrap that starts a program
  tracing,      ///< ptrace, through strace
  other_users,  ///< setuid and chown to another user
  registry,     ///< packages from the network: HYDRA_TEST_NETWORK is set
};

/// A need of a test: an ability, or a program on the search path of the tests.
struct Need {
  Need(Ability wanted) : ability(wanted) {}             // NOLINT(google-explicit-constructor)
  Need(const char* wanted) : program(wanted) {}         // NOLINT(google-explicit-constructor)
  Need(const std::string& wanted) : program(wanted) {}  // NOLINT(google-explicit-constructor)
  Ability ability = Ability::namespaces;
  std::string program;
  std::string path = search_path();
  static std::string search_path();
};

/// A program that the system itself has, on the search path of a World.
Need system_program(const std::string& name);

/// The first need that the machine lacks.
struct Lack {
  std::string text;       ///< "no overlays"; empty: nothing is lacking
  bool required = false;  ///< HYDRA_REQUIRE names the need
};

/// Each ability is probed once per process.
bool can(Ability ability);
bool has_program(const std::string& name, const std::string& path = Need::search_path());
/// HYDRA_REQUIRE holds the name.
bool required(std::string_view name);
Lack lack(std::initializer_list<Need> needs);

/// Asks every few milliseconds until `holds`; after `deadline` the test fails with "waited 60 s for
/// `awaited`".
bool wait_until(std::string_view awaited, const std::function<bool()>& holds,
                std::chrono::milliseconds deadline = std::chrono::seconds(60));

}  // namespace hydra::machine

/// In a test's body or SetUp: HYDRA_NEEDS(machine::Ability::overlays, "go").
#define HYDRA_NEEDS(...) HYDRA_SKIP_LACKING(::hydra::machine::lack({__VA_ARGS__}))

/// HYDRA_NEEDS for a lack that is known already.
#define HYDRA_SKIP_LACKING(lack)                                 \
  if (const auto lacking = (lack); lacking.required) {           \
    FAIL() << lacking.text << ", and HYDRA_REQUIRE asks for it"; \
  } else if (!lacking.text.empty())                              \
  GTEST_SKIP() << lacking.text
