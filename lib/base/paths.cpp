#include "base/paths.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>

namespace hydra {
namespace {

constexpr std::size_t kSocketPathMax = 107;  // size of sockaddr_un::sun_path without the NUL

// State directories with too long paths need different runtime directories, hence a hash.
std::string short_hash(const std::string& text) { return fingerprint(text).substr(0, 16); }

fs::path socket_name(const fs::path& state) { return "hydrad-" + short_hash(state.string()) + ".sock"; }

bool fits(const fs::path& runtime, const fs::path& state) {
  return (runtime / socket_name(state)).string().size() <= kSocketPathMax;
}

Result<void> make_private(const fs::path& dir, unsigned uid) {
  HYDRA_CHECK(make_dirs(dir, 0700));
  struct stat st {};
  if (::lstat(dir.c_str(), &st) != 0) return system_error("cannot look at " + dir.string(), errno);
  if (!S_ISDIR(st.st_mode)) return Error{Errc::environment, "not a directory", dir.string(), {}};
  if (st.st_uid != uid)
    return Error{Errc::environment, "belongs to another user", dir.string(),
                 "choose another XDG_STATE_HOME or XDG_RUNTIME_DIR"};
  if ((st.st_mode & 077) != 0 && ::chmod(dir.c_str(), 0700) != 0)
    return system_error("cannot make private: " + dir.string(), errno);
  return {};
}

}  // namespace

fs::path Paths::socket() const { return runtime / socket_name(state); }

EnvLookup process_env() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
}

fs::path working_directory() {
  std::error_code ec;
  if (auto here = fs::current_path(ec); !ec) return here;
  const auto named = process_env()("PWD").value_or("");
  return named.starts_with('/') ? fs::path(named).lexically_normal() : fs::path("/");
}

Result<Paths> resolve_paths(const EnvLookup& env, unsigned uid) {
  // The XDG specification says that relative paths are invalid and must be ignored.
  const auto absolute = [&](const char* name) -> std::optional<fs::path> {
    const auto value = env(name);
    if (!value || value->empty() || value->front() != '/') return std::nullopt;
    return fs::path(*value);
  };
  const auto home = absolute("HOME");
  const auto base = [&](const char* name, const char* below_home) -> Result<fs::path> {
    if (auto path = absolute(name)) return *path;
    if (home) return *home / below_home;
    return Error{Errc::environment, std::string("neither ") + name + " nor HOME is set", {}, "set HOME"};
  };
  Paths paths;
  HYDRA_TRY(const auto state, base("XDG_STATE_HOME", ".local/state"));
  HYDRA_TRY(const auto config, base("XDG_CONFIG_HOME", ".config"));
  paths.state = state / "hydra";
  paths.config = config / "hydra";
  const auto runtime = absolute("XDG_RUNTIME_DIR");
  if (runtime && fits(*runtime / "hydra", paths.state))
    paths.runtime = *runtime / "hydra";
  else if (fits(paths.state / "run", paths.state))
    paths.runtime = paths.state / "run";
  else
    paths.runtime =
        fs::path("/tmp") / ("hydra-" + std::to_string(uid) + "-" + short_hash(paths.state.string()));
  return paths;
}

Result<void> make_private_dirs(const Paths& paths, unsigned uid) {
  if (auto made = make_private(paths.state, uid); !made.ok()) {
    auto error = made.error();
    if (error.hint.empty()) error.hint = "set XDG_STATE_HOME to a directory that you can write to";
    return error;
  }
  return make_private(paths.runtime, uid);
}

}  // namespace hydra
