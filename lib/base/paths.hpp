// base: where Hydra's own files live, by the XDG rules: runtime directory, state, configuration.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace hydra {

/// Looks up one environment variable.
using EnvLookup = std::function<std::optional<std::string>(const std::string& name)>;
EnvLookup process_env();

/// Where this process stands. Of a directory that was deleted the name that the shell knows ($PWD): what is
/// looked for above it may still be there. "/" where that says nothing.
std::filesystem::path working_directory();

struct Paths {
  std::filesystem::path state;  ///< $XDG_STATE_HOME/hydra, else ~/.local/state/hydra
  std::filesystem::path
      runtime;  ///< $XDG_RUNTIME_DIR/hydra, else state/run, else a 0700 directory in the system's tmp
  std::filesystem::path config;  ///< $XDG_CONFIG_HOME/hydra, else ~/.config/hydra
  /// One daemon per state directory, also when two of them share a runtime directory.
  [[nodiscard]] std::filesystem::path socket() const;
  [[nodiscard]] std::filesystem::path user_config() const { return config / "config.toml"; }
  [[nodiscard]] std::filesystem::path log() const { return state / "hydrad.log"; }
  [[nodiscard]] std::filesystem::path database() const { return state / "hydra.db"; }
};

/// The paths for this user; makes nothing. `environment` when there is neither HOME nor the XDG variables.
/// The socket's path stays under 108 bytes: a runtime directory that is too long is replaced by the next
/// choice.
Result<Paths> resolve_paths(const EnvLookup& env, unsigned uid);

/// Makes state and runtime directories 0700 and checks that they belong to `uid` and are no links.
Result<void> make_private_dirs(const Paths& paths, unsigned uid);

}  // namespace hydra
