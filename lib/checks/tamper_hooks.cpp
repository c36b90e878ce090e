// Code that sees, replaces or rewrites what the runner reports.
#include "checks/tamper_impl.hpp"

namespace hydra::checks {
namespace {

class HookFinder {
 public:
  HookFinder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals) {}

  void look() {
    for (const auto index : diff_.added)
      if (const auto& line = diff_.candidate[index]; !line.comment) hooks(line);
  }

 private:
  [[nodiscard]] bool is(Language language) const { return diff_.language == language; }
  [[nodiscard]] bool product() const { return diff_.role == Role::product; }

  void hooks(const TextLine& line) {
    const auto text = line.text;
    const auto hook = [&](Severity severity, std::string reason) {
      signals_.add(SignalKind::report_hook, severity, diff_.file->change.path, line.number, text,
                   std::move(reason));
    };
    if (is(Language::python)) {
      if (has_any(text, {".outcome = \"passed\"", ".outcome = 'passed'", ".outcome=\"passed\"",
                         ".outcome='passed'", "force_result(", ".testsfailed = 0", ".testsfailed=0",
                         "exitstatus = 0", ".longrepr = None"}) ||
          (has(text, "outcome") && has(text, "passed") && has(text, "setattr"))) {
        // "No tests were collected" is no failure: the well-known hook for it. The base's file stands anyway.
        const auto* above = &line == diff_.candidate.data() ? &line : &line - 1;
        const bool none_collected = has(text, "exitstatus = 0") && has(above->text, "exitstatus") &&
                                    has_any(above->text, {"== 5", "NO_TESTS_COLLECTED"});
        return hook(none_collected ? Severity::warning : Severity::block, "rewrites what the runner reports");
      }
      if (has_any(text, {"TestCase.assert", "TestResult.addFailure =", "TestResult.addError =",
                         "TestCase.run =", "TestCase.failureException", "builtins.AssertionError"}) &&
          has(text, " = ") && !has(text, "=="))
        return hook(Severity::block, "replaces the assertions of unittest");
      if (has_any_name(text, {"pytest_runtest_makereport", "pytest_report_teststatus",
                              "pytest_terminal_summary", "pytest_sessionfinish", "pytest_runtest_logreport",
                              "pytest_unconfigure", "pytest_runtest_protocol", "pytest_pyfunc_call",
                              "pytest_runtest_call", "pytest_assertrepr_compare", "pytest_cmdline_main"}))
        return hook(Severity::warning, "a hook that sees or replaces the runner's reports");
      if (has_any_name(text, {"pytest_collection_modifyitems", "pytest_ignore_collect", "pytest_collect_file",
                              "pytest_deselected", "pytest_runtest_setup"}))
        return hook(Severity::warning, "a hook that chooses the tests");
      if (has_any(text,
                  {"sys.modules['pytest']", "sys.modules[\"pytest\"]", "import _pytest", "from _pytest"}))
        return hook(product() ? Severity::warning : Severity::info, "reaches into the runner");
      if (product() && has(text, "atexit.register("))
        return hook(Severity::info, "runs when the process ends");
    }
    if (is(Language::script)) {
      for (const Text name :
           {"assert.equal", "assert.strictEqual", "assert.deepEqual", "assert.deepStrictEqual", "assert.ok",
            "global.expect", "globalThis.expect", "global.test", "globalThis.test", "global.it",
            "globalThis.it", "assert.AssertionError"}) {
        if (!text.starts_with(name)) continue;
        auto rest = text.substr(name.size());
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        if (rest.starts_with('=') && !rest.starts_with("=="))
          return hook(product() ? Severity::block : Severity::warning,
                      "replaces an assertion or the runner's own function");
      }
      if (product() && matchers(line)) return hook(Severity::block, "replaces assertions of the runner");
      if (product() && (text.starts_with("import ") || has(text, "require(")) &&
          has_any(text, {"'vitest'", "\"vitest\"", "@jest/globals", "'chai'", "\"chai\"", "@vitest/"}))
        return hook(Severity::warning, "product code that loads the test runner");
      if (has_any(text, {"testResultsProcessor", "testRunner:", "\"testRunner\""}))
        return hook(Severity::warning, "replaces a part of the runner");
      if (has(text, "reporters") && has_any(text, {"'./", "\"./", "<rootDir>"}))
        return hook(Severity::warning, "a reporter of the candidate's own");
      if (has_any(text, {"globalSetup:", "setupFilesAfterEnv:", "setupFiles:", "globalTeardown:"}))
        return hook(Severity::info, "code that runs around every test");
      if (product() && has_any(text, {"process.on('exit'", "process.on(\"exit\"", "process.once('exit'"}))
        return hook(Severity::info, "runs when the process ends");
    }
    if (is(Language::c) && text.starts_with("#") && has(text, "define ") &&
        has_any(text, {"define assert(", "define EXPECT_", "define ASSERT_", "define TEST(", "define TEST_F(",
                       "define REQUIRE(", "define CHECK_EQ("}))
      return hook(product() ? Severity::warning : Severity::info, "defines an assertion of its own");
    if (is(Language::c) && product() && text.starts_with("#") &&
        has_any(text, {"undef EXPECT_", "undef ASSERT_", "undef TEST", "undef REQUIRE"}))
      return hook(Severity::block, "takes an assertion of the test library away");
    if (is(Language::rust) && has(text, "macro_rules!") &&
        has_any_name(text, {"assert", "assert_eq", "assert_ne"}))
      return hook(Severity::block, "replaces an assertion of the language");
    if (is(Language::go) && has(text, "flag.Set(\"test."))
      return hook(Severity::warning, "changes how the tests are run");
    if (is(Language::c) && product() && has(text, "env(") &&
        has_any(text, {"\"GTEST_", "\"CTEST_", "GTEST_FILTER"}))
      return hook(Severity::block, "changes how the tests are run");
    if (is(Language::c) && product() &&
        has_any(text, {"RUN_ALL_TESTS", "GTEST_FLAG_SET(", "testing::GTEST_FLAG", "UnitTest::GetInstance"}))
      return hook(Severity::warning, "product code that runs or configures the tests");
    if (has(text, "LD_PRELOAD")) return hook(Severity::warning, "loads a library into every process");
    if (has(text, "NODE_OPTIONS") || has(text, "node-options"))
      return hook(diff_.role == Role::hook && !diff_.aside ? Severity::warning : Severity::info,
                  "passes options to every node process");
  }

  /// expect.extend({ toBe: … }) with a name that the runner has, or what stands behind it.
  static bool matchers(const TextLine& line) {
    if (has_any(line.text,
                {".overwriteMethod(", ".overwriteProperty(", "expect.prototype", "Assertion.prototype"}))
      return true;
    return has(line.text, "expect.extend(") &&
           has_any_name(line.text, {"toBe", "toEqual", "toStrictEqual", "toThrow", "toMatch", "toContain",
                                    "toBeTruthy", "toBeCloseTo", "toHaveLength", "toMatchObject"});
  }

  const TextDiff& diff_;
  Signals& signals_;
};

}  // namespace

void find_report_hooks(const TextDiff& diff, Signals& signals) { HookFinder(diff, signals).look(); }

}  // namespace hydra::checks
