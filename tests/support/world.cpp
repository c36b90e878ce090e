#include "support/world.hpp"

#include "support/contract.hpp"
#include "support/machine.hpp"
#include "support/places.hpp"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace hydra::e2e {
namespace {

fs::path make_root(const fs::path& base) {
  std::string pattern = base / "hydra-e2e-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  return pattern;
}

// Size, mode and a hash of every entry of the checkout but .git, one a line.
std::string tree_listing(const fs::path& root) {
  std::vector<std::string> rows;
  std::error_code ec;
  for (fs::recursive_directory_iterator at(root, ec), end; !ec && at != end; at.increment(ec)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    struct stat st {};
    ::lstat(at->path().c_str(), &st);
    std::string row = at->path().lexically_relative(root).string() + " " + std::to_string(st.st_mode);
    if (S_ISREG(st.st_mode)) row += " " + std::to_string(std::hash<std::string>{}(slurp(at->path())));
    if (S_ISLNK(st.st_mode)) row += " -> " + fs::read_symlink(at->path()).string();
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  std::string text;
  for (const auto& row : rows) text += row + "\n";
  return text;
}

std::string names_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(directory, ec))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const auto& name : names) text += name + "\n";
  return text;
}

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string path_of_binary(const std::string& name) {
  // Set in the environment: binaries of another build, or installed ones.
  const char* other = std::getenv("HYDRA_BIN_DIR");
  return std::string(other != nullptr ? other : places::binaries()) + "/" + name;
}

std::string word_of_binary(const std::string& name) { return "'" + path_of_binary(name) + "'"; }

std::string Fingerprint::differs_from(const Fingerprint& other) const {
  std::string text;
  const auto compare = [&](const char* name, const std::string& mine, const std::string& theirs) {
    if (mine != theirs)
      text += std::string(name) + ":\n--- before\n" + theirs.substr(0, 2000) + "\n--- after\n" +
              mine.substr(0, 2000) + "\n";
  };
  compare("head", head, other.head);
  compare("refs", refs, other.refs);
  if (index != other.index) text += "index bytes\n";
  compare("config", config, other.config);
  compare("hooks", hooks, other.hooks);
  compare("files", files, other.files);
  compare("status", status, other.status);
  compare("stash", stash, other.stash);
  return text;
}

World::World(const std::string& folder, const fs::path& base) : root_(make_root(base)) {
  repo_ = home() / folder;
  for (const auto& path : {repo_, root_ / "state", root_ / "run", config_home() / "hydra", outside()})
    fs::create_directories(path);
  environment_ = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                  {"HOME", home().string()},
                  {"LANG", "C.UTF-8"},
                  {"XDG_STATE_HOME", (root_ / "state").string()},
                  {"XDG_RUNTIME_DIR", (root_ / "run").string()},
                  {"XDG_CONFIG_HOME", config_home().string()},
                  {"GIT_CONFIG_NOSYSTEM", "1"}};
  // Tests look at the daemon's open files and environment, where CAP_SYS_PTRACE does not let them.
  if (::geteuid() != 0 || ::prctl(PR_CAPBSET_READ, CAP_SYS_PTRACE) != 1) environment_["HYDRA_DUMPABLE"] = "1";
  std::ofstream(home() / ".gitconfig")
      << "[user]\n\tname = Ada Tester\n\temail = ada@example.org\n"
         "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n";
  // Without a sandbox on this machine races run as they do for its users; tests of the sandbox are skipped.
  if (!machine::can(machine::Ability::sandbox))
    std::ofstream(config_home() / "hydra/config.toml") << "[sandbox]\nmode = \"auto\"\n";
}

World::~World() { finish(); }

void World::finish() {
  if (finished_) return;
  finished_ = true;
  for (const auto pid : daemons()) {
    ::kill(pid, SIGTERM);
    EXPECT_TRUE(wait_gone(pid)) << "the daemon does not stop: " << describe_process(pid);
  }
  // Processes that are exiting get the time for it; the rest are survivors.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  auto left = processes_with(root_.string());
  while (!left.empty() && std::chrono::steady_clock::now() < until) {
    wait_gone(left.front(), std::chrono::duration_cast<std::chrono::milliseconds>(
                                until - std::chrono::steady_clock::now()));
    left = processes_with(root_.string());
  }
  for (const auto pid : left) {
    ADD_FAILURE() << "a process is left: " << describe_process(pid);
    ::kill(pid, SIGKILL);
  }
  check_strays();
  if (::testing::Test::HasFailure() && std::getenv("HYDRA_E2E_KEEP") != nullptr) {
    std::fprintf(stderr, "kept: %s\n", root_.c_str());
    return;
  }
  std::error_code ec;
  fs::remove_all(root_, ec);
}

void World::check_strays() const {
  std::error_code ec;
  for (fs::recursive_directory_iterator at(repo_ / ".git", ec), end; !ec && at != end; at.increment(ec)) {
    const auto name = at->path().filename().string();
    if (tolerated_.contains(at->path().extension().string())) continue;
    const bool stray = name.ends_with(".lock") || name.ends_with(".keep") || name.starts_with("tmp_");
    EXPECT_FALSE(stray) << "left in the user's repository: " << at->path();
  }
}

fs::path World::attempt(const std::string& race, const std::string& subject, const std::string& kind,
                        int number) const {
  return state() / "races" / race / "attempts" / subject / (kind + "-" + std::to_string(number));
}

void World::write(const fs::path& relative, const std::string& text, bool executable) const {
  const auto path = repo_ / relative;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  if (executable) fs::permissions(path, fs::perms::owner_all, fs::perm_options::add);
}

Run World::try_git(const Words& args, const fs::path& directory) const {
  Words words{"/usr/bin/git"};
  words.insert(words.end(), args.begin(), args.end());
  auto environment = environment_;
  environment["GIT_OPTIONAL_LOCKS"] = "0";  // a status of ours must not refresh the index that is compared
  return Process(words, directory.empty() ? repo_ : directory, environment).wait();
}

std::string World::git(const Words& args, const std::string& input) const {
  Words words{"/usr/bin/git"};
  words.insert(words.end(), args.begin(), args.end());
  auto environment = environment_;
  environment["GIT_OPTIONAL_LOCKS"] = "0";
  const auto run = Process(words, repo_, environment, input).wait();
  EXPECT_EQ(run.exit, 0) << "git " << args.front() << ": " << run.err;
  return trimmed(run.out);
}

void World::init(const std::string& object_format) const {
  git({"init", "-q", "--object-format=" + object_format, "."});
}

std::string World::commit(const std::string& message) const {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  return git({"rev-parse", "HEAD"});
}

std::string World::project(const std::string& config) {
  if (!fs::exists(repo_ / ".git")) init();
  write("README.md", "# A project\n");
  write("src/app.txt", "one\ntwo\nthree\n");
  write(".gitignore", "*.log\nignored/\n.env\n");
  write("hydra.toml", config);
  return commit("first");
}

Fingerprint World::fingerprint() const {
  Fingerprint print;
  const auto git_dir = fs::path(trimmed(try_git({"rev-parse", "--absolute-git-dir"}).out));
  const auto common =
      fs::path(trimmed(try_git({"rev-parse", "--path-format=absolute", "--git-common-dir"}).out));
  print.head = slurp(git_dir / "HEAD") + trimmed(try_git({"rev-parse", "HEAD"}).out);
  std::string line;
  for (const char c : try_git({"for-each-ref", "--format=%(refname) %(objectname)"}).out) {
    line += c;
    if (c != '\n') continue;
    if (!line.starts_with("refs/heads/hydra/") && !line.starts_with("refs/hydra/")) print.refs += line;
    line.clear();
  }
  print.index = slurp(git_dir / "index");
  print.config = slurp(common / "config");
  print.hooks = names_in(common / "hooks");
  print.files = tree_listing(repo_);
  print.status = try_git({"status", "--porcelain=v2", "--branch", "--ignored"}).out;
  print.stash = try_git({"stash", "list"}).out;
  return print;
}

std::string World::show(const std::string& revision, const std::string& path) const {
  return try_git({"show", revision + ":" + path}).out;
}

Words World::command(const Words& args) const {
  Words words{path_of_binary("hydra")};
  words.insert(words.end(), args.begin(), args.end());
  if (base_fails_ && !args.empty() && args.front() == "race") words.insert(words.begin() + 2, "--base-fails");
  return words;
}

std::unique_ptr<Process> World::start(const Words& args, const HydraOptions& options) const {
  const auto words = command(args);
  auto environment = environment_;
  for (const auto& [name, value] : options.environment) environment[name] = value;
  return std::make_unique<Process>(words, options.directory.empty() ? repo_ : options.directory, environment,
                                   options.input);
}

std::unique_ptr<Process> World::start_on_terminal(const Words& args, Process::OnTerminal terminal) const {
  const auto words = command(args);
  auto environment = environment_;
  environment.try_emplace("TERM", "xterm-256color");
  return std::make_unique<Process>(terminal, words, repo_, environment);
}

Run World::hydra(const Words& args, const HydraOptions& options) const {
  const auto run = start(args, options)->wait(options.deadline);
  EXPECT_NE(run.exit, -1) << "hydra " << (args.empty() ? "" : args.front()) << " did not end\n"
                          << run.out << run.err;
  return run;
}

Run World::race(const Words& args, const HydraOptions& options) const {
  Words words{"race"};
  words.insert(words.end(), args.begin(), args.end());
  const auto before = fingerprint();
  const auto run = hydra(words, options);
  const auto after = fingerprint();
  EXPECT_TRUE(after == before) << "the user's repository has changed: " << after.differs_from(before);
  return run;
}

namespace {

Json parsed(const Run& run, const char* what) {
  auto json = Json::parse(run.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << what << ": " << run.out << run.err;
  return json;
}

Words with_race(Words words, const std::string& race) {
  if (!race.empty()) words.push_back(race);
  return words;
}

}  // namespace

// Whatever a test asks of a race is held against docs/openapi.json.
Json World::results(const std::string& race) const {
  auto json = parsed(hydra(with_race({"results", "--json"}, race)), "results");
  EXPECT_EQ(misfits_of("Results", json), "");
  return json;
}

Json World::status(const std::string& race) const {
  auto json = parsed(hydra(with_race({"status", "--json"}, race)), "status");
  auto answer = json;
  answer.erase("schema");  // the command's own
  EXPECT_EQ(misfits_of("Status", answer), "");
  return json;
}

Json World::list() const {
  auto json = parsed(hydra({"list", "--json"}), "list");
  auto answer = json;
  answer.erase("schema");
  EXPECT_EQ(misfits_of("RaceList", answer), "");
  return json;
}

std::vector<pid_t> World::daemons() const {
  std::vector<pid_t> found;
  for (const auto pid : processes_with("XDG_STATE_HOME=" + (root_ / "state").string()))
    if (process_name(pid) == "hydrad") found.push_back(pid);
  // A child that has not become its program yet still bears the daemon's name.
  const auto all = found;
  std::erase_if(found, [&](pid_t pid) {
    const auto parent = parent_of(pid);
    return parent == 0 || process_name(pid) != "hydrad" ||
           std::find(all.begin(), all.end(), parent) != all.end();
  });
  return found;
}

int World::connect() const {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto path = socket().string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  ::close(fd);
  return -1;
}

fs::path World::socket() const {
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(runtime(), ec))
    if (entry.is_socket(ec)) return entry.path();
  return {};
}

void World::kill_daemon(int signal) const {
  const auto found = daemons();
  EXPECT_EQ(found.size(), 1u);
  for (const auto pid : found) {
    ::kill(pid, signal);
    EXPECT_TRUE(wait_gone(pid));
  }
}

bool World::use_cargo() {
  const char* home = std::getenv("HOME");
  std::error_code none;
  for (const auto& entry :
       fs::directory_iterator(fs::path(home != nullptr ? home : "/") / ".rustup/toolchains", none))
    if (entry.path().filename().string().starts_with("stable")) {
      set_environment("PATH", (entry.path() / "bin").string() + ":/usr/local/bin:/usr/bin:/bin");
      return true;
    }
  return fs::exists("/usr/local/bin/cargo", none) || fs::exists("/usr/bin/cargo", none);
}

fs::path World::path_without(const std::string& program) const {
  const auto directory = root_ / ("bin-without-" + program);
  fs::create_directories(directory);
  for (const char* from : {"/usr/bin", "/bin"})
    for (const auto& entry : fs::directory_iterator(from)) {
      std::error_code ec;
      if (entry.path().filename() != program)
        fs::create_symlink(entry.path(), directory / entry.path().filename(), ec);
    }
  return directory;
}

std::string script_agent(const std::string& name, const std::string& script, const std::string& more) {
  return "[agents." + name + "]\ncommand = [\"sh\", \"-c\", '''" + script + "\n''', \"agent\"]\n" + more +
         "\n";
}

Json agent_of(const Json& results, const std::string& name) {
  for (const auto& agent : results.value("agents", Json::array()))
    if (agent.value("agent", "") == name) return agent;
  ADD_FAILURE() << "no agent " << name << " in " << results.dump(1);
  return Json::object();
}

std::string race_id(const Run& run) {
  const auto json = Json::parse(run.out.substr(0, run.out.find('\n')), nullptr, false);
  if (json.is_object()) return json.value("race", "");
  const auto begin = run.out.find("Race ");
  if (begin == std::string::npos) return {};
  return run.out.substr(begin + 5, run.out.find(':', begin) - begin - 5);
}

Gate::Gate(const fs::path& path) : path_(path) {
  for (auto [fd, suffix] : {std::pair{&in_, ".in"}, std::pair{&go_, ".go"}}) {
    const auto name = path_.string() + suffix;
    if (::mkfifo(name.c_str(), 0600) != 0) throw std::runtime_error("mkfifo " + name);
    // Open for both: nobody's open() blocks, and bytes wait for their reader.
    *fd = ::open(name.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  }
}

Gate::~Gate() {
  ::close(in_);
  ::close(go_);
}

std::string Gate::script() const {
  return "echo >> '" + path_.string() + ".in'; dd if='" + path_.string() +
         ".go' bs=1 count=1 >/dev/null 2>&1";
}

bool Gate::arrived(int count, std::chrono::milliseconds deadline) {
  const auto until = std::chrono::steady_clock::now() + deadline;
  while (count > 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd p{in_, POLLIN, 0};
    const int n = ::poll(&p, 1, static_cast<int>(std::max<long long>(left, 0)));
    if (n == 0) return false;
    char byte = 0;
    if (n > 0 && ::read(in_, &byte, 1) == 1) --count;
  }
  return true;
}

void Gate::open(int count) const {
  const std::string bytes(static_cast<std::size_t>(count), 'g');
  EXPECT_EQ(::write(go_, bytes.data(), bytes.size()), count);
}

}  // namespace hydra::e2e
