// Product code that asks whether it is tested, reads the tests, or reads who calls it.
#include "checks/tamper_impl.hpp"

namespace hydra::checks {
namespace {

class ProbeFinder {
 public:
  ProbeFinder(const TextDiff& diff, Signals& signals) : diff_(diff), signals_(signals), anywhere_(diff) {}

  void look() {
    if (diff_.role != Role::product) return;
    for (const auto index : diff_.added) {
      const auto& line = diff_.candidate[index];
      if (line.comment) continue;
      probes(line);
      reads_tests(line);
      reads_caller(line);
    }
  }

 private:
  void add(SignalKind kind, Severity severity, const TextLine& line, std::string reason) {
    signals_.add(kind, severity, diff_.file->change.path, line.number, line.text, std::move(reason));
  }
  [[nodiscard]] bool is(Language language) const { return diff_.language == language; }

  void probes(const TextLine& line) {
    const auto text = line.text;
    const auto probe = [&](Severity severity) {
      add(SignalKind::environment_probe, severity, line, "product code that asks whether it is being tested");
    };
    if (has_any_name(text, {"PYTEST_CURRENT_TEST", "JEST_WORKER_ID", "VITEST_WORKER_ID", "VITEST_POOL_ID",
                            "RUST_TEST_THREADS", "GTEST_OUTPUT", "CTEST_INTERACTIVE_DEBUG_MODE", "NEXTEST",
                            "PYTEST_VERSION", "HYDRA_REPORTS"}) ||
        has_any(text, {"\"pytest\" in sys.modules", "'pytest' in sys.modules", "\"unittest\" in sys.modules",
                       "'unittest' in sys.modules", "testing.Testing()", "flag.Lookup(\"test.",
                       "process.env.VITEST", "NODE_TEST_CONTEXT"}))
      return probe(Severity::warning);
    if (has_any(text, {"process.env.CI", "environ[\"CI\"]", "environ['CI']", "environ.get(\"CI\"",
                       "environ.get('CI'", "Getenv(\"CI\")", "env::var(\"CI\")", "NODE_ENV === 'test'",
                       "NODE_ENV === \"test\""}))
      return probe(Severity::info);
  }

  void reads_tests(const TextLine& line) {
    for (const Text call :
         {"open(", "read_text(", "ast.parse(", "readFile", "ReadFile(", "os.Open(", "ifstream",
          "read_to_string(", "include_str!(", "getsource(", "linecache.", "File.read("}) {
      const auto at = line.text.find(call);
      if (at == Text::npos) continue;
      // Minified code is one line: what stands far from the call is no argument of it.
      constexpr std::size_t kNear = 300;
      const auto begin = at - std::min(at, kNear);
      if (has_any(line.text.substr(begin, 2 * kNear),
                  {"test_", "_test.", "tests/", ".test.", ".spec.", "/test/", "'tests'", "\"tests\"",
                   "'test'", "\"test\""}))
        return add(SignalKind::environment_probe, Severity::warning, line, "product code that reads a test");
    }
  }

  void reads_caller(const TextLine& line) {
    const auto text = line.text;
    const auto reader = [&](bool reads) {
      add(SignalKind::environment_probe, reads ? Severity::warning : Severity::info, line,
          "product code that reads its caller");
    };
    if (is(Language::python) &&
        has_any(text, {"sys._getframe", "inspect.stack(", "inspect.currentframe", "f_back"}))
      reader(anywhere_({"f_locals", "f_globals", "f_code", "f_lineno", ".function", ".filename", "f_back"}));
    if (is(Language::go) && has_any(text, {"runtime.Caller(", "runtime.Callers("}))
      reader(anywhere_({"_test.go", "os.ReadFile(", "os.Open(", "parser.ParseFile("}));
    if (is(Language::script) &&
        has_any(text, {"Error().stack", "Error.prepareStackTrace", "captureStackTrace("}) &&
        anywhere_({"readFileSync", "readFile(", "createReadStream"}))
      reader(true);
  }

  const TextDiff& diff_;
  Signals& signals_;
  Anywhere anywhere_;
};

}  // namespace

void find_probes(const TextDiff& diff, Signals& signals) { ProbeFinder(diff, signals).look(); }

}  // namespace hydra::checks
