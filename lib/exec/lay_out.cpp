#include "exec/lay_out.hpp"

#include "base/files.hpp"
#include "exec/attempt.hpp"
#include "exec/container.hpp"
#include "exec/identity.hpp"
#include "exec/scratch.hpp"

#include <algorithm>

namespace hydra::exec {
namespace {

constexpr std::size_t kListBytes = 1u << 20;  ///< limit for /etc/passwd and /etc/group

bool valid_key(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '@' ||
           c == '.' || c == '_' || c == '/' || c == '-' || c == '#' || c == '+';
  });
}

bool valid_variable(const std::pair<std::string, std::string>& v) {
  return !v.first.empty() && v.first.find('=') == std::string::npos &&
         v.first.find('\0') == std::string::npos && v.second.find('\0') == std::string::npos;
}

bool valid_overlay(const OverlayMount& overlay) {
  constexpr std::size_t kLayers = 100;  // fits into one page of mount options, with room to spare
  const auto good = [](const fs::path& path) {
    return path.is_absolute() && path.native().find('\0') == std::string::npos;
  };
  return !overlay.lower.empty() && overlay.lower.size() <= kLayers &&
         std::all_of(overlay.lower.begin(), overlay.lower.end(), good) && good(overlay.upper) &&
         good(overlay.work) && good(overlay.mount);
}

/// Writes user and group lists for the sandbox that have the job's ids and home.
Result<void> name_user(const BwrapHost& host, JobSpec& spec) {
  const auto& home = spec.sandbox.home;
  if (spec.sandbox.isolation != Isolation::bwrap || home.empty() || home == "/") return {};
  Identity identity{inside_uid(host), inside_gid(host), home, {}};
  for (const auto& [name, value] : spec.env) {
    if (name == "USER") identity.user = value;
    if (name == "HOME" && value.starts_with('/')) identity.home = value;  // $HOME as written, with links
  }
  for (const auto& [file, with] : {std::pair{"passwd", &passwd_with}, {"group", &group_with}}) {
    const auto now = read_file(fs::path("/etc") / file, kListBytes);
    if (!now.ok()) continue;  // no list to bind over
    const auto wanted = with(*now, identity);
    if (wanted == *now) continue;
    HYDRA_CHECK(write_file(spec.attempt_dir / file, wanted, 0600));
    spec.sandbox.binds.push_back({spec.attempt_dir / file, fs::path("/etc") / file, false, false});
  }
  return {};
}

}  // namespace

Result<void> check_spec(const JobSpec& spec, const fs::path& bwrap) {
  const auto bad = [&](const char* what) { return Error{Errc::internal, what, spec.key, ""}; };
  if (!valid_key(spec.key))
    return bad("a job's key is empty or has other characters than [A-Za-z0-9@._/+#-]");
  if (spec.token.empty()) return bad("a job needs a token");
  if (spec.argv.empty() || spec.argv.front().empty()) return bad("a job needs a program");
  for (const auto& word : spec.argv)
    if (word.find('\0') != std::string::npos) return bad("an argument holds a NUL byte");
  if (!std::all_of(spec.env.begin(), spec.env.end(), valid_variable))
    return bad("an environment variable has no name, or holds '=' in it or a NUL byte");
  if (!spec.attempt_dir.is_absolute()) return bad("the attempt's directory must be absolute");
  if (!spec.sandbox.overlays.empty() && spec.sandbox.isolation != Isolation::bwrap)
    return bad("overlays need the isolation bwrap");
  if (is_container(spec.sandbox.isolation) && spec.sandbox.image.empty())
    return bad("a container needs an image");
  for (const auto& o : spec.sandbox.overlays)
    if (!valid_overlay(o)) return bad("an overlay needs 1 to 100 lower directories, and absolute paths");
  if (spec.sandbox.isolation == Isolation::bwrap && bwrap.empty())
    return Error{Errc::environment, "this job needs a sandbox, and bubblewrap is not installed", spec.key,
                 "apt install bubblewrap"};
  return {};
}

Result<void> lay_out(const JobSpec& spec, const BwrapHost& host, const std::vector<CgroupParent>& cgroups) {
  JobSpec resolved = spec;
  if (is_container(spec.sandbox.isolation)) {
    HYDRA_TRY(const auto argv, container_argv(resolved, host));
    return write_spec(resolved, argv, host, cgroups);
  }
  resolved.sandbox = resolve_targets(spec.sandbox);
  HYDRA_CHECK(name_user(host, resolved));
  return write_spec(resolved, job_argv(resolved, host), host, cgroups);
}

Env marked_environment(const JobSpec& spec) {
  Env env = spec.env;
  // A job inside another Hydra's job has a mark already, and programs would read the first of two.
  std::erase_if(env, [](const auto& v) { return v.first == "HYDRA_ATTEMPT"; });
  env.emplace_back("HYDRA_ATTEMPT", spec.token);
  return env;
}

Result<void> lay_out_placed(const JobSpec& spec, const BwrapHost& host) {
  HYDRA_CHECK(make_dirs(spec.attempt_dir, 0700));
  HYDRA_CHECK(lay_out(travels(spec) ? on_scratch(spec) : spec, host, {}));
  if (travels(spec)) HYDRA_CHECK(send_tree(spec));
  // The file may hold secrets: the supervisor removes it before anything else, and so does the job's end.
  std::string words;
  for (const auto& [name, value] : marked_environment(spec)) words += name + "=" + value + '\0';
  return write_file_atomic(spec.attempt_dir / "environment", words, false, 0600);
}

JobResult blank_result(const JobSpec& spec) {
  JobResult result;
  result.key = spec.key;
  result.token = spec.token;
  result.isolation = spec.sandbox.isolation;
  result.survivors_possible = result.isolation == Isolation::none;
  return result;
}

}  // namespace hydra::exec
