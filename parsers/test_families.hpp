// parsers, inside: the text formats of test runners, one function a runner; registry.cpp lists them.
#pragma once

#include "parsers/registry.hpp"

namespace hydra::parsers {

void find_ava(const Input& in, std::vector<TestSegment>& out);
void find_bun(const Input& in, std::vector<TestSegment>& out);
void find_deno(const Input& in, std::vector<TestSegment>& out);
void find_exunit(const Input& in, std::vector<TestSegment>& out);
void find_bats(const Input& in, std::vector<TestSegment>& out);
void find_prove(const Input& in, std::vector<TestSegment>& out);
void find_cmocka(const Input& in, std::vector<TestSegment>& out);
void find_meson(const Input& in, std::vector<TestSegment>& out);
void find_automake(const Input& in, std::vector<TestSegment>& out);
void find_surefire(const Input& in, std::vector<TestSegment>& out);
void find_phpunit(const Input& in, std::vector<TestSegment>& out);
void find_alcotest(const Input& in, std::vector<TestSegment>& out);
void find_plunit(const Input& in, std::vector<TestSegment>& out);
void find_testtools(const Input& in, std::vector<TestSegment>& out);
void find_tasty(const Input& in, std::vector<TestSegment>& out);
void find_cucumber(const Input& in, std::vector<TestSegment>& out);
void find_robot(const Input& in, std::vector<TestSegment>& out);
void find_playwright(const Input& in, std::vector<TestSegment>& out);
void find_cypress(const Input& in, std::vector<TestSegment>& out);
void find_karma(const Input& in, std::vector<TestSegment>& out);
void find_webdriverio(const Input& in, std::vector<TestSegment>& out);
void find_nightwatch(const Input& in, std::vector<TestSegment>& out);
void find_testcafe(const Input& in, std::vector<TestSegment>& out);
void find_gradle(const Input& in, std::vector<TestSegment>& out);
void find_junit4(const Input& in, std::vector<TestSegment>& out);
void find_clojure(const Input& in, std::vector<TestSegment>& out);
void find_xctest(const Input& in, std::vector<TestSegment>& out);
void find_swift_testing(const Input& in, std::vector<TestSegment>& out);
void find_pest(const Input& in, std::vector<TestSegment>& out);
void find_shunit2(const Input& in, std::vector<TestSegment>& out);
void find_dart(const Input& in, std::vector<TestSegment>& out);
void find_julia(const Input& in, std::vector<TestSegment>& out);
void find_nim(const Input& in, std::vector<TestSegment>& out);
void find_dejagnu(const Input& in, std::vector<TestSegment>& out);
void find_dotnet(const Input& in, std::vector<TestSegment>& out);
void find_scalatest(const Input& in, std::vector<TestSegment>& out);
void find_node_tap(const Input& in, std::vector<TestSegment>& out);
void find_mocha_stream(const Input& in, std::vector<TestSegment>& out);
void find_trial(const Input& in, std::vector<TestSegment>& out);
void find_ginkgo(const Input& in, std::vector<TestSegment>& out);
void find_gotestsum(const Input& in, std::vector<TestSegment>& out);
void find_busted_gtest(const Input& in, std::vector<TestSegment>& out);
void find_boost(const Input& in, std::vector<TestSegment>& out);
void find_autotest(const Input& in, std::vector<TestSegment>& out);
void find_kyua(const Input& in, std::vector<TestSegment>& out);
void find_subunit(const Input& in, std::vector<TestSegment>& out);
void find_sugar(const Input& in, std::vector<TestSegment>& out);
void find_generic(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
