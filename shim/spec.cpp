#include "spec.hpp"

#include "files.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace shim {
namespace {

using Json = nlohmann::json;

/// JSON needs UTF-8, arguments are bytes: invalid UTF-8 is encoded as {"hex": "..."}.
std::string bytes_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto digits = value.at("hex").get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

void from_json(const Json& j, Spec& spec) {
  spec.key = j.at("key").get<std::string>();
  spec.token = j.at("token").get<std::string>();
  for (const auto& a : j.at("argv")) spec.argv.push_back(bytes_of(a));
  spec.program = bytes_of(j.at("program"));
  spec.isolation = j.at("isolation").get<std::string>();
  spec.wrapped = spec.isolation != "none";
  spec.contained = j.contains("clear_up");
  if (spec.contained) {
    for (const auto& a : j.at("payload")) spec.payload.push_back(bytes_of(a));
    for (const auto& a : j.at("clear_up")) spec.clear_up.push_back(bytes_of(a));
    for (const auto& v : j.at("wrapper_env")) spec.wrapper_env.push_back(bytes_of(v));
  }
  if (j.contains("scratch_place")) spec.scratch_place = bytes_of(j.at("scratch_place"));
  spec.workdir = bytes_of(j.at("workdir"));
  if (j.contains("stdin_file")) spec.stdin_file = bytes_of(j.at("stdin_file"));
  spec.wall_ms = j.at("wall_ms").get<std::int64_t>();
  spec.idle_ms = j.at("idle_ms").get<std::int64_t>();
  for (const auto& r : j.at("ladder"))
    spec.ladder.push_back({r.at(0).get<int>(), r.at(1).get<std::int64_t>()});
  spec.log_head = j.at("log_head").get<std::uint64_t>();
  spec.log_tail = j.at("log_tail").get<std::uint64_t>();
  spec.memory_bytes = j.at("memory_bytes").get<std::uint64_t>();
  spec.processes = j.at("processes").get<int>();
  spec.disk_bytes = j.value("disk_bytes", spec.disk_bytes);
  spec.free_percent = j.value("free_percent", spec.free_percent);
  spec.free_bytes = j.value("free_bytes", spec.free_bytes);
  if (j.contains("disk_paths"))
    for (const auto& path : j.at("disk_paths")) spec.disk_paths.push_back(bytes_of(path));
  spec.nice = j.at("nice").get<int>();
  if (j.contains("cpus")) spec.cpus = j.at("cpus").get<std::vector<int>>();
  if (j.contains("cgroups"))
    for (const auto& c : j.at("cgroups"))
      spec.cgroups.push_back({c.at("kind").get<std::string>(), bytes_of(c.at("dir"))});
  if (j.contains("overlays")) {
    for (const auto& o : j.at("overlays")) {
      Overlay overlay{{}, bytes_of(o.at("upper")), bytes_of(o.at("work")), bytes_of(o.at("mount"))};
      overlay.renames = o.value("renames", true);
      for (const auto& l : o.at("lower")) overlay.lower.push_back(bytes_of(l));
      spec.overlays.push_back(std::move(overlay));
    }
    spec.overlay_user = j.at("overlay_as").get<std::string>() == "user";
    spec.inside_uid = j.at("inside_uid").get<unsigned>();
    spec.inside_gid = j.at("inside_gid").get<unsigned>();
  }
  spec.merge_output = j.at("merge_output").get<bool>();
  spec.durable = j.at("durable").get<bool>();
  spec.gate = j.value("gate", spec.gate);
  spec.daemon = j.value("daemon", spec.daemon);
  spec.publish_ms = j.value("publish_ms", spec.publish_ms);
}

}  // namespace

bool take_environment_file(const std::string& dir) {
  static std::string text;  // static: putenv() keeps pointers to its words
  const auto path = dir + "/environment";
  const bool read = read_whole(path, text);
  ::unlink(path.c_str());
  if (!read) return false;
  ::clearenv();
  for (std::size_t at = 0; at < text.size(); at += std::strlen(text.data() + at) + 1)
    ::putenv(text.data() + at);
  return true;
}

bool read_spec(const std::string& dir, Spec& spec, std::string& problem) {
  std::string text;
  if (!read_whole(dir + "/spec.json", text)) {
    problem = "spec.json can't be read";
    return false;
  }
  try {
    const Json json = Json::parse(text);
    if (const int version = json.value("version", 0); version != kSpecVersion) {
      problem = "spec.json is of version " + std::to_string(version) + ", this supervisor knows " +
                std::to_string(kSpecVersion) + " only";
      return false;
    }
    from_json(json, spec);
  } catch (const std::exception& e) {
    problem = std::string("spec.json is not understood: ") + e.what();
    return false;
  }
  if (spec.argv.empty()) problem = "spec.json names no program";
  return !spec.argv.empty();
}

}  // namespace shim
