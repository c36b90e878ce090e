#include "base/strings.hpp"
#include "integrity/protect/key_files.hpp"
#include "integrity/protect/protected_paths.hpp"

namespace hydra::integrity {
namespace {

constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

bool is_makefile(std::string_view own) {
  return own.ends_with("akefile") || own.ends_with(".mk") || own.ends_with(".mak");
}

}  // namespace

bool has_restorable_keys(std::string_view path) {
  const auto own = base_name(path);
  for (const std::string_view known :
       {"package.json", "pyproject.toml", "setup.cfg", "Cargo.toml", "deno.json", "deno.jsonc",
        "composer.json", "Makefile", "makefile", "GNUmakefile"})
    if (own == known) return true;
  return is_makefile(own);
}

Result<RestoredKeys> restore_keys(std::string_view path, std::string_view base, std::string_view candidate,
                                  const CheckCommands& commands) {
  if (base.size() > kMostBytes || candidate.size() > kMostBytes)
    return Error{Errc::protocol, "a file of more than 8 MiB is not restored by key", std::string(path), {}};
  const auto own = base_name(path);
  if (own == "pyproject.toml") return restore_pyproject(base, candidate);
  if (own == "Cargo.toml") return restore_cargo(base, candidate);
  if (own == "setup.cfg") return restore_ini(base, candidate);
  if (is_makefile(own)) return restore_makefile(base, candidate, commands);
  if (own == "package.json") return restore_package_json(base, candidate, commands);
  if (own == "composer.json") return restore_composer(base, candidate);
  if (own == "deno.json" || own == "deno.jsonc") return restore_deno(base, candidate);
  return Error{Errc::unsupported, "no keys of this file are known", std::string(path), {}};
}

}  // namespace hydra::integrity
