#include "git/environment.hpp"

#include "base/strings.hpp"
#include "git/store/layout.hpp"

#include <algorithm>

namespace hydra::git {
namespace {

// git waits only for the disk and, in a partial clone, for the network.
constexpr std::chrono::minutes kDeadline{10};
constexpr std::size_t kMaxOutput = std::size_t{1} << 30;

}  // namespace

Command::Command(std::string_view path_variable, std::string_view home) {
  env_ = {{"PATH", std::string(path_variable)}, {"LC_ALL", "C"},
          {"GIT_CONFIG_NOSYSTEM", "1"},         {"GIT_CONFIG_GLOBAL", "/dev/null"},
          {"GIT_NO_REPLACE_OBJECTS", "1"},      {"GIT_TERMINAL_PROMPT", "0"}};
  if (!home.empty()) env_.emplace_back("HOME", home);
  config("core.fsmonitor", "false");
  config("core.untrackedCache", "false");
  config("core.protectHFS", "true");
  config("core.protectNTFS", "true");
  config("gc.auto", "0");
  // By default `read-tree -u` also moves the checkouts inside submodules, which no journal covers.
  config("submodule.recurse", "false");
  config("protocol.allow", "never");
  // git reads ~/.config/git/attributes even when the global configuration is cleared.
  config("core.attributesFile", "/dev/null");
}

Command Command::in_repository(const model::RepositoryFacts& repository, std::string_view path_variable,
                               std::string_view home) {
  Command command(path_variable, home);
  command.git_dir(repository.git_dir).work_tree(repository.root).cwd(repository.root);
  return command;
}

Command& Command::with_user_configuration() {
  std::erase_if(env_, [](const auto& v) {
    return v.first == "GIT_CONFIG_NOSYSTEM" || v.first == "GIT_CONFIG_GLOBAL" ||
           v.first == "GIT_NO_REPLACE_OBJECTS";
  });
  std::vector<std::string> kept;
  for (std::size_t i = 0; i + 1 < options_.size(); i += 2)
    if (!options_[i + 1].starts_with("protocol.") && !options_[i + 1].starts_with("core.attributesFile"))
      kept.insert(kept.end(), {options_[i], options_[i + 1]});
  options_ = std::move(kept);
  return *this;
}

Command& Command::with_hooks() {
  hooks_ = true;
  return of_the_user();
}

Command& Command::of_the_user() {
  of_the_user_ = true;
  return *this;
}

Command& Command::cwd(const fs::path& path) {
  cwd_ = path;
  return *this;
}

Command& Command::config(std::string_view key, std::string_view value) {
  options_.emplace_back("-c");
  options_.push_back(std::string(key) + "=" + std::string(value));
  return *this;
}

Command& Command::variable(std::string name, std::string value) {
  std::erase_if(env_, [&](const auto& v) { return v.first == name; });
  env_.emplace_back(std::move(name), std::move(value));
  return *this;
}

Command& Command::identity(const std::string& name, const std::string& email, std::int64_t unix_seconds) {
  const std::string date = std::to_string(unix_seconds) + " +0000";
  for (const std::string role : {"AUTHOR", "COMMITTER"}) {
    variable("GIT_" + role + "_NAME", name);
    variable("GIT_" + role + "_EMAIL", email);
    variable("GIT_" + role + "_DATE", date);
  }
  return *this;
}

Command& Command::also_reads(const fs::path& objects) {
  constexpr const char* kName = "GIT_ALTERNATE_OBJECT_DIRECTORIES";
  std::string all;
  for (const auto& [name, value] : env_)
    if (name == kName) all = value + ":";
  auto entry = alternates_line(objects);  // quoted when the path needs it
  entry.pop_back();
  if (!entry.starts_with('"') && entry.find(':') != std::string::npos) entry = '"' + entry + '"';
  return variable(kName, all + entry);
}

Command& Command::inherit(int fd) {
  inherit_fd_ = fd;
  return *this;
}

Command& Command::stop(std::stop_token token) {
  stop_ = std::move(token);
  return *this;
}

Result<exec::ToolOutput> Command::run(const std::vector<std::string>& args, std::string input) const {
  exec::ToolCall call;
  call.argv.emplace_back("git");
  call.argv.insert(call.argv.end(), options_.begin(), options_.end());
  if (!hooks_) call.argv.insert(call.argv.end(), {"-c", "core.hooksPath=/dev/null"});
  call.argv.insert(call.argv.end(), args.begin(), args.end());
  call.env = env_;
  call.cwd = cwd_;
  call.input = std::move(input);
  call.deadline = kDeadline;
  call.max_output = kMaxOutput;
  call.inherit_fd = inherit_fd_;
  call.marked = !of_the_user_;
  call.stop = stop_;
  auto result = exec::run_tool(call);
  if (!result.ok() && result.error().code == Errc::not_found)
    return Error{Errc::environment, "git is not installed", {}, "install git 2.38 or newer"};
  return result;
}

Result<std::string> Command::output(const std::vector<std::string>& args, std::string input) const {
  return step(args.empty() ? "git" : "git " + args.front(), args, std::move(input));
}

Result<std::string> Command::step(std::string_view what, const std::vector<std::string>& args,
                                  std::string input) const {
  HYDRA_TRY(auto result, run(args, std::move(input)));
  if (!result.ok()) return git_error(what, result);
  return std::move(result.out);
}

Result<bool> Command::succeeds(const std::vector<std::string>& args) const {
  HYDRA_TRY(const auto result, run(args));
  return result.ok();
}

Result<std::string> Command::line(const std::vector<std::string>& args, std::string input) const {
  HYDRA_TRY(auto text, output(args, std::move(input)));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Error git_error(std::string_view step, const exec::ToolOutput& output) {
  const std::string words = last_words(output.err);
  // A lock file of git: held by a running git, or left by a killed one.
  constexpr std::string_view kBefore = "Unable to create '", kAfter = ".lock': File exists";
  if (const auto end = output.err.find(kAfter); end != std::string::npos)
    if (const auto begin = output.err.rfind(kBefore, end); begin != std::string::npos) {
      const auto from = begin + kBefore.size();
      const auto lock = sanitize(output.err.substr(from, end + std::string_view(".lock").size() - from));
      return Error{Errc::refused,
                   std::string(step) + " failed: another git program holds " + lock,
                   {},
                   "wait for it to end; if none is running, remove that file"};
    }
  return Error{Errc::git,
               std::string(step) + " failed" +
                   (words.empty() ? " with exit code " + std::to_string(output.exit_code) : ": " + words),
               {},
               {},
               passing_errno(output.err)};
}

std::string last_words(std::string_view err) {
  // git explains a failure after the line that names the file, so the last marked line counts.
  std::string last, error, fatal;
  for (const auto line : lines(err)) {
    const auto words = trim(line);
    if (words.empty()) continue;
    last = sanitize(words);
    if (words.starts_with("error: ")) error = last;
    if (words.starts_with("fatal: ")) fatal = last;
  }
  return !fatal.empty() ? fatal : !error.empty() ? error : last;
}

bool is_object_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<std::string_view> records(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = text.find('\0');
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

}  // namespace hydra::git
