#include "exec/container.hpp"

#include "base/strings.hpp"
#include "exec/cgroup.hpp"
#include "exec/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>

namespace hydra::exec {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kStage2Inside = "/run/.hydra-stage2";
constexpr const char* kDoorPlace = "/run/.hydra-door";  // equals kDoorInside of shim/door.hpp

/// Differences between the engines, one row each.
struct EngineRow {
  Isolation kind;
  const char* program;
  Words run;       ///< further flags of `run`
  Words clear_up;  ///< words before the container's name
  const char* install;
};

const EngineRow& row_of(Isolation kind) {
  static const std::array<EngineRow, 2> kRows{
      {{Isolation::podman,
        "podman",
        {"--pull=never", "--read-only-tmpfs=false"},
        {"rm", "--force", "--time=0", "--ignore"},
        "apt install podman"},
       {Isolation::docker, "docker", {"--pull=never"}, {"rm", "--force"}, "apt install docker.io"}}};
  return kind == Isolation::docker ? kRows[1] : kRows[0];
}

fs::path client_of(const EngineRow& row) {
  const char* path = std::getenv("PATH");
  return find_program(row.program, path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path);
}

/// Quotes a field of --mount's list, which is a CSV line.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string mount(const fs::path& host, const fs::path& inside, bool writable) {
  return "--mount=type=bind," + field("src=" + host.string()) + "," + field("dst=" + inside.string()) +
         (writable ? "" : ",ro");
}

/// Removes all but the last bind for each path.
std::vector<Bind> binds_of(const JobSpec& spec, const BwrapHost& host) {
  std::vector<Bind> binds = spec.sandbox.binds;
  const auto& sandbox = spec.sandbox;
  if (!sandbox.home.empty() && sandbox.home != "/" && !sandbox.private_home.empty())
    binds.insert(binds.begin(), {sandbox.private_home, sandbox.home, true, false});
  binds.push_back({host.shim, kStage2Inside, false, false});
  binds.push_back({spec.attempt_dir / "door", kDoorPlace, true, false});
  std::vector<Bind> kept;
  std::error_code failed;
  for (auto& bind : binds) {
    if (bind.optional && !fs::exists(bind.host, failed)) continue;
    std::erase_if(kept, [&](const auto& other) { return other.inside == bind.inside; });
    kept.push_back(std::move(bind));
  }
  return kept;
}

void add_places(const JobSpec& spec, const BwrapHost& host, Words& argv) {
  const auto binds = binds_of(spec, host);
  Words empty{"/tmp", "/run"};
  if (spec.sandbox.private_home.empty() && !spec.sandbox.home.empty() && spec.sandbox.home != "/")
    empty.push_back(spec.sandbox.home.string());
  for (const auto& at : empty) {
    if (std::any_of(binds.begin(), binds.end(), [&](const auto& bind) { return bind.inside == at; }))
      continue;
    auto flag = "--tmpfs=" + at + ":rw,exec,nosuid,nodev,mode=1777";
    if (spec.limits.disk_bytes > 0) flag += ",size=" + std::to_string(spec.limits.disk_bytes);
    argv.push_back(std::move(flag));
  }
  for (const auto& bind : binds) argv.push_back(mount(bind.host, bind.inside, bind.writable));
}

/// Files that the container makes in binds belong to the user.
void add_user(const EngineRow& row, unsigned uid, unsigned gid, Words& argv) {
  argv.push_back(fmt::format("--user={}:{}", uid, gid));
  if (row.kind == Isolation::podman && uid != 0) argv.emplace_back("--userns=keep-id");
}

Error no_engine(const EngineRow& row) {
  return Error{Errc::environment,
               std::string("[sandbox] isolation asks for ") + row.program + ", which is not installed",
               row.program, row.install};
}

struct Symptom {
  const char* text;
  const char* means;
  const char* remedy;
};

/// Messages of the engines, with meaning and remedy; the first match counts.
constexpr Symptom kSymptoms[] = {
    {"no subuid ranges", "podman without root has no subordinate ids for this user",
     "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER; podman system migrate"},
    {"insufficient UIDs", "podman without root has too few subordinate ids for this image",
     "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER; podman system migrate"},
    {"newuidmap", "podman without root can't map ids",
     "apt install uidmap, and give the user ranges in /etc/subuid"},
    {"Cannot connect to the Docker daemon", "docker's daemon is not running",
     "systemctl start docker, or isolation = \"podman\", which needs none"},
    {"permission denied while trying to connect", "you may not use docker's daemon",
     "sudo usermod -aG docker $USER, and log in again"},
    {"no space left", "the engine's storage is full", "podman system prune, or make room there"},
    {"cgroups in hybrid mode", "its runtime crun does not start with hybrid control groups",
     "apt install runc, and runtime = \"runc\" in containers.conf"},
    {"RLIMIT_NOFILE", "it may not raise limits on this machine",
     "default_ulimits = [\"nofile=1024:1024\", \"nproc=4096:4096\"] in containers.conf"},
    {"exec format error", "the image is of another kind of processor", "an image of this machine's kind"},
};

Error engine_error(const EngineRow& row, const std::string& what, const std::string& said,
                   const std::string& otherwise) {
  const auto text = std::string(trim(said)).substr(0, 2000);
  for (const auto& symptom : kSymptoms)
    if (text.find(symptom.text) != std::string::npos)
      return Error{Errc::environment, what + ": " + symptom.means, row.program, symptom.remedy};
  const auto all = lines(text);
  const auto last = all.empty() ? std::string(row.program) + " says nothing" : std::string(all.back());
  return Error{Errc::environment, what + ": " + last, row.program, otherwise};
}

class Engine {
 public:
  Engine(const EngineRow& row, fs::path client) : row_(row), client_(std::move(client)) {}

  Result<ToolOutput> run(Words arguments, std::chrono::milliseconds deadline) const {
    ToolCall call;
    call.argv = {client_.string()};
    call.argv.insert(call.argv.end(), arguments.begin(), arguments.end());
    for (const auto& variable : container_environment()) {
      const auto equals = variable.find('=');
      call.env.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
    }
    call.deadline = deadline;
    return run_tool(call);
  }

  /// Empty: the engine has no such image.
  Result<std::string> id_of(const std::string& image) const {
    HYDRA_TRY(const auto output, run({"image", "inspect", "--format", "{{.Id}}", image}, kShort));
    if (!output.ok()) {
      const bool unknown = to_lower(output.err).find("no such image") != std::string::npos ||
                           output.err.find("image not known") != std::string::npos;
      if (unknown) return std::string();
      return engine_error(row_, std::string(row_.program) + " can't be used", output.err, "hydra doctor");
    }
    const auto id = std::string(trim(output.out));
    return id.starts_with("sha256:") ? id : "sha256:" + id;
  }

  static constexpr std::chrono::seconds kShort{60};

 private:
  const EngineRow& row_;
  fs::path client_;
};

Result<std::string> build(const Engine& engine, const EngineRow& row, const ImageWanted& wanted) {
  const auto context = wanted.containerfile.parent_path();
  HYDRA_TRY(const auto output,
            engine.run({"build", "--quiet", "--file", wanted.containerfile.string(), context.string()},
                       wanted.patience));
  if (!output.ok())
    return engine_error(row, "the image of " + wanted.containerfile.string() + " can't be built", output.err,
                        std::string("try it by hand: ") + row.program + " build --file " +
                            wanted.containerfile.string() + " " + context.string());
  const auto all = lines(trim(output.out));
  return all.empty() ? std::string() : engine.id_of(std::string(all.back())).value_or("");
}

Result<std::string> pull(const Engine& engine, const EngineRow& row, const ImageWanted& wanted) {
  HYDRA_TRY(const auto output, engine.run({"pull", "--quiet", wanted.image}, wanted.patience));
  if (output.ok()) return engine.id_of(wanted.image);
  return engine_error(
      row, "the image " + wanted.image + " can't be pulled", output.err,
      std::string("check its name; or load it: ") + row.program + " load, or " + row.program + " import");
}

/// Start the image once; exit code 64 (usage) proves that our PID 1 runs in it.
Result<void> try_image(const Engine& engine, const EngineRow& row, const std::string& id,
                       const ImageWanted& wanted) {
  Words argv{"run", "--rm", "--pull=never", "--network=none"};
  add_user(row, wanted.uid, wanted.gid, argv);
  for (const auto& word : Words{"--entrypoint=" + std::string(kStage2Inside),
                                mount(wanted.shim, kStage2Inside, false), id, "--container"})
    argv.push_back(word);
  HYDRA_TRY(const auto output, engine.run(std::move(argv), Engine::kShort));
  constexpr int kUsage = 64;
  if (output.exit_code == kUsage) return {};
  return engine_error(
      row, std::string(row.program) + " can't start a container here", output.err,
      std::string("try it by hand: ") + row.program + " run --rm --network=none " + id + " true");
}

}  // namespace

bool is_container(Isolation isolation) {
  return isolation == Isolation::podman || isolation == Isolation::docker;
}

std::vector<std::string> container_environment() {
  constexpr std::array kNames{"PATH",
                              "HOME",
                              "USER",
                              "LOGNAME",
                              "LANG",
                              "TMPDIR",
                              "XDG_RUNTIME_DIR",
                              "XDG_CONFIG_HOME",
                              "XDG_DATA_HOME",
                              "CONTAINERS_CONF",
                              "CONTAINERS_STORAGE_CONF",
                              "CONTAINERS_REGISTRIES_CONF",
                              "REGISTRY_AUTH_FILE",
                              "STORAGE_DRIVER",
                              "DOCKER_HOST",
                              "DOCKER_CONFIG",
                              "DOCKER_CONTEXT",
                              "DBUS_SESSION_BUS_ADDRESS"};
  std::vector<std::string> variables;
  for (const char* name : kNames)
    if (const char* value = std::getenv(name); value != nullptr)
      variables.push_back(std::string(name) + "=" + value);
  return variables;
}

Result<std::vector<std::string>> container_argv(const JobSpec& spec, const BwrapHost& host) {
  const auto& row = row_of(spec.sandbox.isolation);
  const auto client = client_of(row);
  if (client.empty()) return no_engine(row);
  if (spec.sandbox.image.empty())
    return Error{Errc::usage, "a container needs an image", spec.key, "[sandbox] image"};
  Words argv{client.string(), "run", "--rm", "--name=" + group_name(spec.token)};
  argv.insert(argv.end(), row.run.begin(), row.run.end());
  for (const char* flag : {"--read-only", "--cap-drop=all", "--security-opt=no-new-privileges",
                           "--log-driver=none", "--workdir=/", "--hostname=hydra"})
    argv.emplace_back(flag);
  argv.push_back(spec.sandbox.network ? "--network=host" : "--network=none");
  if (spec.sandbox.network) std::erase(argv, "--hostname=hydra");
  add_user(row, host.uid, host.gid, argv);
  // --pids-limit counts threads too; the supervisor watches the exact number of processes.
  constexpr int kThreadsEach = 8;
  if (spec.limits.processes > 0)
    argv.push_back("--pids-limit=" + std::to_string(spec.limits.processes * kThreadsEach));
  add_places(spec, host, argv);
  argv.push_back(std::string("--entrypoint=") + kStage2Inside);
  argv.push_back(spec.sandbox.image);
  argv.emplace_back("--container");
  return argv;
}

std::vector<std::string> container_clear_up(const JobSpec& spec) {
  const auto& row = row_of(spec.sandbox.isolation);
  Words argv{client_of(row).string()};
  argv.insert(argv.end(), row.clear_up.begin(), row.clear_up.end());
  argv.push_back(group_name(spec.token));
  return argv;
}

Result<std::string> check_engine(Isolation engine) {
  const auto& row = row_of(engine);
  const auto client = client_of(row);
  if (client.empty()) return no_engine(row);
  const Engine asked(row, client);
  // `info` needs the engine's daemon and storage
  HYDRA_TRY(const auto info, asked.run({"info"}, Engine::kShort));
  if (!info.ok())
    return engine_error(row, std::string(row.program) + " can't be used", info.err + info.out,
                        std::string(row.program) + " info");
  HYDRA_TRY(const auto version, asked.run({"--version"}, Engine::kShort));
  return std::string(trim(version.out));
}

Result<std::string> resolve_image(const ImageWanted& wanted) {
  const auto& row = row_of(wanted.engine);
  const auto client = client_of(row);
  if (client.empty()) return no_engine(row);
  if (wanted.image.empty() && wanted.containerfile.empty())
    return Error{Errc::usage, std::string("isolation = \"") + row.program + "\" needs an image",
                 "sandbox.image", "set [sandbox] image"};
  const Engine engine(row, client);
  std::string id;
  if (wanted.image.empty()) {
    HYDRA_TRY(id, build(engine, row, wanted));
  } else {
    HYDRA_TRY(id, engine.id_of(wanted.image));
    if (id.empty()) {
      HYDRA_TRY(id, pull(engine, row, wanted));
    }
  }
  if (id.empty())
    return Error{Errc::environment, std::string(row.program) + " names no image that it made", wanted.image,
                 ""};
  HYDRA_CHECK(try_image(engine, row, id, wanted));
  return id;
}

}  // namespace hydra::exec
