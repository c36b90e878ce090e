// config: reads the keys of a toolchain file, described in docs/toolchains.md.
#include "config/toolchains_read.hpp"

#include "config/propose.hpp"
#include "tables/values.hpp"

#include <algorithm>

namespace hydra::config {
namespace {

using tables::Node;
using tables::Value;

constexpr std::string_view kHint = "docs/toolchains.md describes these files";
constexpr int kLastFile = 99, kLastSignature = 9;

class ToolchainReader : tables::Values {
 public:
  ToolchainReader(std::string_view name, ToolchainFile& out, std::vector<Error>& errors)
      : Values(name, kHint, errors), out_(out), says_(out.says) {}

  void read(const Value& file) {
    for (const auto value : file)
      if (value.key() == "shared") ecosystem(value, shared_);
    fill(file, "",
         {{"order", [&](const Value& v) { out_.order = number(v, kLastFile); }},
          {"shared", [](const Value&) {}},
          {"common", [&](const Value& v) { ecosystem(v, says_.common); }},
          {"ecosystems", each(&ToolchainReader::add_ecosystem)},
          {"caches", each(&ToolchainReader::add_cache_row)},
          {"protected", each(&ToolchainReader::add_protected)},
          {"runners", each(&ToolchainReader::add_runner)},
          {"signatures", each(&ToolchainReader::add_signature)},
          {"managers", each(&ToolchainReader::add_manager)},
          {"proposals", each(&ToolchainReader::add_proposal)},
          {"versions", [&](const Value& v) { add_versions(views(v)); }},
          {"files", [&](const Value& v) { add_files(v); }},
          {"tests", [&](const Value& v) { add_tests(v); }},
          {"init", [&](const Value& v) { add_init(v); }}});
  }

 private:
  std::function<void(const Value&)> each(void (ToolchainReader::*add)(const Value&)) {
    return [this, add](const Value& list) { rows(list, [&](const Value& row) { (this->*add)(row); }); };
  }

  // ---- ecosystems ----

  void ecosystem(const Value& table, Ecosystem& to) {
    fill(table, "ecosystems",
         {{"name", &to.name},
          {"markers", &to.markers},
          {"weak_markers", &to.weak_markers},
          {"yields_to", &to.yields_to},
          {"lists_sources", &to.lists_sources},
          {"manifests", &to.manifests},
          {"configuration", &to.configuration},
          {"sources", &to.sources},
          {"directories", [&](const Value& list) { directories(list, to); }},
          {"always", [&](const Value& v) { variables(v, to.always); }},
          {"offline", [&](const Value& v) { variables(v, to.offline); }},
          {"caches", &to.caches},
          {"dropped", &to.dropped},
          {"setup_configures", &to.setup_configures},
          {"setup_lists_sources", &to.setup_lists_sources}});
  }
  void add_ecosystem(const Value& table) {
    auto one = shared_;
    ecosystem(table, one);
    if (one.name.empty() || one.markers.empty())
      return complain(table, "an ecosystem needs name and markers");
    says_.ecosystems.push_back(std::move(one));
  }
  void directories(const Value& list, Ecosystem& to) {
    rows(list, [&](const Value& row) {
      WarmDirectory directory;
      fill(row, "directories", {{"path", &directory.path}, {"dependency", &directory.dependency}});
      if (has<std::string_view>(row, {&directory.path}, "a directory needs a path"))
        to.directories.push_back(directory);
    });
  }
  /// Reads NAME = "value" or NAME = { append = "value" }.
  void variables(const Value& table, std::vector<Variable>& to) {
    if (!table.is(Node::table)) return complain(table, "expected a table of variables");
    for (const auto value : table) {
      Variable variable{value.key(), {}, value.is(Node::table)};
      if (variable.append)
        fill(value, "variables", {{"append", &variable.value}});
      else
        variable.value = view(value);
      if (!variable.value.empty()) to.push_back(variable);
    }
  }
  void add_versions(const Texts& files) {
    for (auto* list : {&says_.common.manifests, &says_.common.configuration})
      list->insert(list->end(), files.begin(), files.end());
    says_.protected_rows.push_back({files,
                                    {},
                                    ProtectedKind::test_configuration,
                                    RestoreAction::base,
                                    "chooses the tools of the checks"});
  }
  void add_cache_row(const Value& table) {
    NamedCache cache;
    fill(table, "caches",
         {{"name", &cache.name},
          {"directory", &cache.directory},
          {"variable", &cache.variable},
          {"hidden", &cache.hidden},
          {"read_only",
           [&](const Value& v) { cache.mode = flag(v) ? CacheMode::read_only : CacheMode::overlay; }}});
    if (has<std::string_view>(table, {&cache.name, &cache.directory}, "a cache needs name and directory"))
      says_.caches.push_back(std::move(cache));
  }

  // ---- files and tests ----

  void add_files(const Value& table) {
    fill(table, "files",
         {{"locks", &says_.locks},
          {"generated", &says_.generated},
          {"vendored", &says_.vendored},
          {"ignored", &says_.ignored},
          {"test_data", &says_.test_data},
          {"foreign", &says_.foreign},
          {"secrets", &says_.secrets}});
  }
  void add_tests(const Value& table) {
    fill(table, "tests",
         {{"found", &says_.found_tests},
          {"listed", &says_.listed_tests},
          {"directories", &says_.test_directories},
          {"usual_directories", &says_.usual_directories},
          {"wrappers", &says_.wrappers}});
  }
  /// Reads a runner; missing `files` and options are inherited from the previous row.
  void add_runner(const Value& table) {
    TestRunner row;
    if (!says_.runners.empty()) {
      const auto& before = says_.runners.back();
      row = {{}, {}, before.as, before.files, before.drop, before.valued, {}};
    }
    fill(table, "runners",
         {{"programs", &row.programs},
          {"verb", &row.verb},
          {"files_as",
           [&](const Value& v) {
             row.as = static_cast<FilesAs>(one_of(v, {"words", "discover", "classes", "go", "cargo"}));
           }},
          {"files", &row.files},
          {"drop", &row.drop},
          {"valued", &row.valued},
          {"add", &row.add},
          {"select", &row.select},
          {"before", &row.before},
          {"broken_file",
           [&](const Value& v) {
             row.broken_file = static_cast<BrokenFile>(one_of(v, {"nothing", "option", "apart"}));
           }},
          {"each", &row.each},
          {"between", &row.between},
          {"around", &row.around}});
    if (row.programs.empty() || row.files.empty())
      return complain(table, "a runner needs programs and files");
    says_.runners.push_back(std::move(row));
  }
  void add_protected(const Value& table) {
    constexpr ProtectedKind kKinds[] = {ProtectedKind::test_configuration, ProtectedKind::runner_hook,
                                        ProtectedKind::ci, ProtectedKind::lint_configuration,
                                        ProtectedKind::build_file};
    constexpr std::string_view kReasons[] = {
        "configures the test runner", "runs inside the test runner or chooses it", "continuous integration",
        "configures a linter or formatter", "configures the build as well as tests"};
    constexpr RestoreAction kActions[] = {RestoreAction::base, RestoreAction::keys, RestoreAction::flag};
    ProtectedRow row;
    std::size_t kind = 0;
    std::optional<RestoreAction> action;
    fill(table, "protected",
         {{"kind",
           [&](const Value& v) {
             kind = one_of(v, {"tests", "hook", "ci", "lint", "build"});
           }},
          {"on_change",
           [&](const Value& v) {
             action = kActions[one_of(v, {"base", "keys", "flag"})];
           }},
          {"reason", &row.reason},
          {"programs", &row.programs},
          {"patterns", &row.patterns}});
    row.kind = kKinds[kind];
    if (row.reason.empty()) row.reason = kReasons[kind];
    const bool flags = row.kind == ProtectedKind::build_file;
    row.on_change = action.value_or(flags ? RestoreAction::flag : RestoreAction::base);
    if (row.patterns.empty()) return complain(table, "a row needs patterns");
    says_.protected_rows.push_back(std::move(row));
  }

  // ---- advice ----

  void add_signature(const Value& table) {
    Signature row;
    fill(table, "signatures",
         {{"name", &row.name},
          {"kind",
           [&](const Value& v) {
             row.kind = static_cast<AdviceKind>(one_of(
                 v, {"environment", "candidate", "hydra", "exdev", "reject_run", "nothing_ran", "port"}));
           }},
          {"order", [&](const Value& v) { row.order = number(v, kLastSignature); }},
          {"lines", &row.lines},
          {"meaning", &row.meaning},
          {"candidate", &row.candidate},
          {"advice", [&](const Value& v) { advice(v, row); }}});
    if (row.name.empty() || (row.lines.empty() && row.advice.empty()))
      return complain(table, "a signature needs a name, and lines or advice");
    says_.signatures.push_back(std::move(row));
  }
  /// Reads one text, or a list of texts and tables.
  void advice(const Value& value, Signature& to) {
    if (!value.is(Node::list)) return to.advice.push_back({view(value)});
    for (const auto one : value) {
      AdviceText text;
      if (one.is(Node::table))
        fill(one, "signatures.advice",
             {{"text", &text.text},
              {"tools", &text.tools},
              {"when", [&](const Value& v) {
                 text.when = static_cast<AdviceText::When>(one_of(v, {"always", "preparing", "testing"}));
               }}});
      else
        text.text = view(one);
      if (!text.text.empty()) to.advice.push_back(std::move(text));
    }
  }

  void add_manager(const Value& table) {
    VersionManager m;
    fill(table, "managers",
         {{"name", &m.name},
          {"directory", &m.directory},
          {"root_variable", &m.root_variable},
          {"version_variable", &m.version_variable},
          {"file", &m.file},
          {"prefix", &m.prefix}});
    if (has<std::string_view>(
            table, {&m.name, &m.directory, &m.root_variable, &m.version_variable, &m.file, &m.prefix},
            "a manager needs name, directory, root_variable, version_variable, file and prefix"))
      says_.managers.push_back(m);
  }

  // ---- proposals ----

  void add_proposal(const Value& table) {
    ProposalRow row;
    const auto texts = [this](std::vector<ProposedText>& to, std::string_view key) {
      return [this, &to, key](const Value& v) { proposed(v, key, to); };
    };
    fill(table, "proposals",
         {{"found_by", &row.found_by},
          {"when", &row.when},
          {"kind", &row.kind},
          {"reader", &row.reader},
          {"wrapper", &row.wrapper},
          {"fills_gaps", &row.fills_gaps},
          {"alone", &row.alone},
          {"build", texts(row.build, "run")},
          {"test", texts(row.test, "run")},
          {"lint", texts(row.lint, "run")},
          {"setup", texts(row.setup, "run")},
          {"warm", texts(row.warm, "run")},
          {"share", texts(row.share, "path")},
          {"outputs", texts(row.outputs, "path")},
          {"caches", texts(row.caches, "name")},
          {"env", texts(row.env, "set")},
          {"notes", texts(row.notes, "say")}});
    if (row.found_by.empty()) return complain(table, "a proposal needs found_by");
    if (!row.reader.empty() && proposal_reader(row.reader) == nullptr)
      return complain(table, "there is no reader '" + std::string(row.reader) + "'");
    says_.proposals.push_back(std::move(row));
  }
  /// Reads a text, a table with `key`, or a list of these.
  void proposed(const Value& value, std::string_view key, std::vector<ProposedText>& to) {
    if (value.is(Node::list)) {
      for (const auto one : value) proposed(one, key, to);
      return;
    }
    ProposedText text;
    if (value.is(Node::table))
      fill(value, "proposals", {{key, &text.text}, {"why", &text.why}, {"when", &text.when}});
    else
      text.text = view(value);
    if (text.text.empty() && value.is(Node::table)) return complain(value, "needs " + std::string(key));
    if (!text.text.empty()) to.push_back(std::move(text));
  }
  void add_init(const Value& table) {
    fill(table, "init",
         {{"programs", &says_.programs},
          {"reads", &says_.reads},
          {"looks_into", &says_.looks_into},
          {"looks_for", &says_.looks_for},
          {"testers", &says_.testers},
          {"linters", &says_.linters},
          {"fixes", &says_.fixes},
          {"special", &says_.special}});
  }

  ToolchainFile& out_;
  Toolchains& says_;
  Ecosystem shared_;
};

}  // namespace

ToolchainFile read_toolchain(const tables::Value& file, std::vector<Error>& errors) {
  ToolchainFile out;
  ToolchainReader(file.key(), out, errors).read(file);
  return out;
}

}  // namespace hydra::config
