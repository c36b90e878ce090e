// base: Hydra's own directories by the XDG rules: runtime, state, configuration.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace hydra {

using EnvLookup = std::function<std::optional<std::string>(const std::string& name)>;
EnvLookup process_env();

/// Returns the working directory. For a deleted directory returns $PWD, since parents may still exist; "/" if
/// $PWD is useless.
std::filesystem::path working_directory();

struct Paths {
  std::filesystem::path state;  ///< $XDG_STATE_HOME/hydra, else ~/.local/state/hydra
  std::filesystem::path
      runtime;  ///< $XDG_RUNTIME_DIR/hydra, else state/run, else a 0700 directory in the system's tmp
  std::filesystem::path config;  ///< $XDG_CONFIG_HOME/hydra, else ~/.config/hydra
  /// Returns a path per state directory, since each has its own daemon even if runtime directories are
  /// shared.
  [[nodiscard]] std::filesystem::path socket() const;
  [[nodiscard]] std::filesystem::path user_config() const { return config / "config.toml"; }
  [[nodiscard]] std::filesystem::path log() const { return state / "hydrad.log"; }
  [[nodiscard]] std::filesystem::path database() const { return state / "hydra.db"; }
};

/// Resolves the paths for this user and makes nothing. `environment` if neither HOME nor XDG variables are
/// set. The socket path stays under 108 bytes: a too long runtime directory yields the next choice.
Result<Paths> resolve_paths(const EnvLookup& env, unsigned uid);

/// Makes state and runtime directories with mode 0700; fails if a directory is a symlink or does not belong
/// to `uid`.
Result<void> make_private_dirs(const Paths& paths, unsigned uid);

}  // namespace hydra
