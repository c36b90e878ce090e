#include "exec/attempt.hpp"

#include "base/entries.hpp"
#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "exec/container.hpp"
#include "exec/scratch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace hydra::exec {
namespace {

using Json = nlohmann::json;

/// JSON needs UTF-8; arguments are arbitrary bytes.
Json bytes_json(const std::string& bytes) {
  if (to_utf8(bytes) == bytes) return bytes;
  return Json{{"hex", hex(bytes)}};
}

std::string read_proc(const std::string& path) { return read_file(path, 4u << 20).value_or(""); }

/// Reads the JSON object of a file; `torn`: the file has none.
FileState parse(const fs::path& path, Json& json) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return FileState::absent;
  const auto text = read_file(path, 1u << 20);
  if (text.ok()) json = Json::parse(*text, nullptr, false);
  return json.is_object() ? FileState::good : FileState::torn;
}

LogFacts log_facts(const Json& j) {
  return {j.at("total").get<std::uint64_t>(), j.at("hole_from").get<std::uint64_t>(),
          j.at("hole_to").get<std::uint64_t>()};
}

bool fill(const Json& j, JobResult& r) {
  const auto end = model::from_name<End>(j.at("end").get<std::string>());
  if (!end) return false;
  r.key = j.at("key").get<std::string>();
  r.token = j.at("token").get<std::string>();
  r.end = *end;
  r.code = j.at("code").get<int>();
  r.signal = j.at("signal").get<int>();
  r.wall_ms = j.at("wall_ms").get<std::int64_t>();
  r.cpu_user_ms = j.at("cpu_user_ms").get<std::int64_t>();
  r.cpu_system_ms = j.at("cpu_system_ms").get<std::int64_t>();
  r.max_rss_kib = j.at("max_rss_kib").get<std::uint64_t>();
  r.leaked = j.at("leaked").get<int>();
  r.survivors_possible = j.at("survivors_possible").get<bool>();
  r.out = log_facts(j.at("out"));
  r.err = log_facts(j.at("err"));
  r.isolation = model::of_name<Isolation>(j.at("isolation").get<std::string>());
  r.message = j.at("message").get<std::string>();
  return true;
}

void read_range(int fd, std::uint64_t from, std::uint64_t to, std::string& text) {
  std::array<char, 65536> buffer;
  while (from < to) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), to - from));
    const ssize_t n = ::pread(fd, buffer.data(), want, static_cast<off_t>(from));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.append(buffer.data(), static_cast<std::size_t>(n));
    from += static_cast<std::uint64_t>(n);
  }
}

void add_overlays(const Sandbox& sandbox, const BwrapHost& host, Json& json) {
  Json list = Json::array();
  for (const auto& o : sandbox.overlays) {
    Json lower = Json::array();
    for (const auto& l : o.lower) lower.push_back(bytes_json(l.string()));
    list.push_back({{"lower", std::move(lower)},
                    {"upper", bytes_json(o.upper.string())},
                    {"work", bytes_json(o.work.string())},
                    {"mount", bytes_json(o.mount.string())},
                    {"renames", o.renames}});
  }
  json["overlays"] = std::move(list);
  const bool root =
      sandbox.overlay_as == OverlayAs::automatic ? may_mount() : sandbox.overlay_as == OverlayAs::root;
  json["overlay_as"] = root ? "root" : "user";
  json["inside_uid"] = inside_uid(host);
  json["inside_gid"] = inside_gid(host);
}

}  // namespace

bool may_mount() {
  constexpr int kSysAdmin = 21;
  // A uid map of the full range to itself identifies the initial user namespace.
  const auto map = read_proc("/proc/self/uid_map");
  std::vector<std::string> words;
  for (const auto word : split(trim(map), ' '))
    if (!word.empty()) words.emplace_back(word);
  if (words != std::vector<std::string>{"0", "0", "4294967295"}) return false;
  const auto status = read_proc("/proc/self/status");
  for (const auto line : lines(status)) {
    if (line.substr(0, 7) != "CapEff:") continue;
    const auto bits = std::strtoull(std::string(trim(line.substr(7))).c_str(), nullptr, 16);
    return ((bits >> kSysAdmin) & 1U) != 0;
  }
  return false;
}

Result<void> write_spec(const JobSpec& spec, const std::vector<std::string>& argv, const BwrapHost& host,
                        const std::vector<CgroupParent>& cgroups) {
  const auto& l = spec.limits;
  Json ladder = Json::array();
  for (const auto& rung : l.ladder) ladder.push_back(Json::array({rung.signal, rung.wait.count()}));
  Json words = Json::array();
  for (const auto& a : argv) words.push_back(bytes_json(a));
  Json json = {{"key", spec.key},
               {"token", spec.token},
               {"argv", std::move(words)},
               {"program", bytes_json(spec.argv.front())},
               {"isolation", name(spec.sandbox.isolation)},
               {"workdir", bytes_json(spec.workdir.string())},
               {"wall_ms", l.wall.count()},
               {"idle_ms", l.idle.count()},
               {"ladder", std::move(ladder)},
               {"log_head", l.log_head},
               {"log_tail", l.log_tail},
               {"memory_bytes", l.memory_bytes},
               {"processes", l.processes},
               {"nice", l.nice},
               {"merge_output", spec.merge_output},
               {"durable", spec.durable},
               {"publish_ms", l.publish.count()},
               {"version", kSpecVersion}};
  if (is_container(spec.sandbox.isolation)) {
    for (const auto& word : spec.argv) json["payload"].push_back(bytes_json(word));
    for (const auto& word : container_clear_up(spec)) json["clear_up"].push_back(bytes_json(word));
    for (const auto& variable : container_environment()) json["wrapper_env"].push_back(bytes_json(variable));
  }
  if (spec.sandbox.gate > 0) json["gate"] = spec.sandbox.gate;
  if (spec.with_daemon) json["daemon"] = ::getpid();
  if (travels(spec)) json["scratch_place"] = bytes_json(scratch_place(spec).string());
  if (!l.cpus.empty()) json["cpus"] = l.cpus;
  if (l.disk_bytes > 0) json["disk_bytes"] = l.disk_bytes;
  if (l.free_percent > 0) json["free_percent"] = l.free_percent;
  if (l.free_bytes > 0) json["free_bytes"] = l.free_bytes;
  for (const auto& path : l.disk_paths) json["disk_paths"].push_back(bytes_json(path.string()));
  for (const auto& parent : cgroups)
    json["cgroups"].push_back(
        {{"kind", parent.kind}, {"dir", bytes_json(cgroup_of(parent, spec.token).string())}});
  if (!spec.sandbox.overlays.empty()) add_overlays(spec.sandbox, host, json);
  if (spec.stdin_file) json["stdin_file"] = bytes_json(spec.stdin_file->string());
  return write_file_atomic(spec.attempt_dir / "spec.json", json.dump(1) + "\n", false, 0600);
}

std::vector<fs::path> attempt_groups(const fs::path& dir, const std::string& token) {
  std::vector<fs::path> groups;
  Json json;
  if (parse(dir / "spec.json", json) != FileState::good) return groups;
  if (!json.contains("cgroups") || !json.at("cgroups").is_array()) return groups;
  for (const auto& group : json.at("cgroups")) {
    if (!group.is_object() || !group.contains("dir") || !group.at("dir").is_string()) continue;
    const fs::path path = group.at("dir").get<std::string>();
    if (path.is_absolute() && path.filename() == group_name(token) && path.lexically_normal() == path)
      groups.push_back(path);
  }
  return groups;
}

FileState read_started(const fs::path& dir, const std::string& token, Started& started) {
  Json json;
  if (const auto state = parse(dir / "started.json", json); state != FileState::good) return state;
  try {
    started.token = json.at("token").get<std::string>();
    started.pid = json.at("pid").get<int>();
    started.start_time = json.at("start_time").get<std::uint64_t>();
    started.boot_id = json.at("boot_id").get<std::string>();
  } catch (const Json::exception&) {
    return FileState::torn;
  }
  return started.token == token ? FileState::good : FileState::foreign;
}

FileState read_result(const fs::path& dir, const JobSpec& spec, JobResult& result) {
  Json json;
  if (const auto state = parse(dir / "result.json", json); state != FileState::good) return state;
  JobResult read;
  try {
    if (!fill(json, read)) return FileState::torn;
  } catch (const Json::exception&) {
    return FileState::torn;
  }
  if (read.token != spec.token || read.key != spec.key) return FileState::foreign;
  result = std::move(read);
  return FileState::good;
}

std::optional<int> exit_code_in(const fs::path& dir) {
  Json json;
  if (parse(dir / "result.json", json) != FileState::good || json.value("end", Json()) != name(End::exited))
    return std::nullopt;
  const auto code = json.find("code");
  return code != json.end() && code->is_number_integer() ? std::optional(code->get<int>()) : std::nullopt;
}

std::string read_log(const fs::path& log, const LogFacts& facts, bool* cut) {
  const bool hole = facts.hole_to > facts.hole_from;
  if (cut != nullptr) *cut = hole;
  std::string text;
  const UniqueFd fd(::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return text;
  read_range(fd.get(), 0, hole ? std::min(facts.hole_from, facts.total) : facts.total, text);
  if (hole) read_range(fd.get(), facts.hole_to, facts.total, text);
  return text;
}

std::string full_disk(const fs::path& dir) {
  struct statvfs room {};
  if (::statvfs(dir.c_str(), &room) != 0 || room.f_blocks == 0) return {};
  // A supervisor that could not write frees a little space when it gives up.
  const std::uint64_t size = static_cast<std::uint64_t>(room.f_blocks) * room.f_frsize;
  const auto full = std::max<std::uint64_t>(16u << 10, std::min<std::uint64_t>(1u << 20, size / 64));
  const bool bytes = static_cast<std::uint64_t>(room.f_bavail) * room.f_frsize <= full;
  const bool files = room.f_files > 0 && room.f_favail < 16;
  return bytes || files ? ": the disk of " + dir.string() + " is full" : std::string();
}

std::int64_t last_beat(const fs::path& dir) {
  struct stat s {};
  if (::stat((dir / "heartbeat").c_str(), &s) != 0) return 0;
  return s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec;
}

bool is_held(const fs::path& dir) {
  struct stat s {};
  return ::stat((dir / "heartbeat").c_str(), &s) == 0 && s.st_size > 0;
}

bool is_alive(const Started& started) {
  if (started.pid <= 0 || trim(read_proc("/proc/sys/kernel/random/boot_id")) != started.boot_id) return false;
  const std::string stat = read_proc("/proc/" + std::to_string(started.pid) + "/stat");
  const auto close = stat.rfind(')');
  if (close == std::string::npos) return false;
  const auto fields = split(trim(std::string_view(stat).substr(close + 1)), ' ');
  // fields[0] is the state, field 3 of the file.
  constexpr std::size_t kStartTime = 22 - 3;
  if (fields.size() <= kStartTime || fields[0] == "Z" || fields[0] == "X") return false;
  return fields[kStartTime] == std::to_string(started.start_time);
}

int sweep_cookie(const std::string& token) {
  if (token.empty()) return 0;
  const std::string cookie = std::string(1, '\0') + "HYDRA_ATTEMPT=" + token + std::string(1, '\0');
  int killed = 0;
  std::error_code failed;
  for (const auto& entry : entries_of("/proc", failed)) {
    const auto pid = parse_int(entry.path().filename().string());
    if (!pid || *pid == ::getpid()) continue;
    const std::string env = std::string(1, '\0') + read_proc(entry.path() / "environ") + std::string(1, '\0');
    if (env.find(cookie) != std::string::npos && ::kill(static_cast<pid_t>(*pid), SIGKILL) == 0) ++killed;
  }
  return killed;
}

}  // namespace hydra::exec
