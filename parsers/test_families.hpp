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
void find_tasty(const Input& in, std::vector<TestSegment>& out);

}  // namespace hydra::parsers
