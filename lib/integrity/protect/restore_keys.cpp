#include "base/strings.hpp"
#include "integrity/protect/key_files.hpp"
#include "integrity/protect/protected_paths.hpp"

namespace hydra::integrity {
namespace {

using Text = std::string_view;
using Commands = CheckCommands;
constexpr std::size_t kMostBytes = 8 * 1024 * 1024;

struct KeyFile {
  Text name;          ///< end of the file's name
  bool whole = true;  ///< `name` is the whole file name
  Result<RestoredKeys> (*restore)(Text base, Text candidate, const Commands& commands) = nullptr;
};

Result<RestoredKeys> deno(Text base, Text candidate, const Commands&) {
  return restore_members(base, candidate, {"tasks", "test", "lint", "fmt", "exclude"});
}

constexpr KeyFile kFiles[] = {
    {"package.json", true, restore_package_json},
    {"pyproject.toml", true, [](Text b, Text c, const Commands&) { return restore_pyproject(b, c); }},
    {"setup.cfg", true, [](Text b, Text c, const Commands&) { return restore_ini(b, c); }},
    {"Cargo.toml", true, [](Text b, Text c, const Commands&) { return restore_cargo(b, c); }},
    {"deno.json", true, deno},
    {"deno.jsonc", true, deno},
    {"composer.json", true,
     [](Text b, Text c, const Commands&) {
       return restore_members(b, c, {"scripts", "autoload-dev"});
     }},
    {"akefile", false, restore_makefile},
    {".mk", false, restore_makefile},
    {".mak", false, restore_makefile}};

const KeyFile* key_file(Text path) {
  const auto own = base_name(path);
  for (const auto& file : kFiles)
    if (own.ends_with(file.name) && (!file.whole || own.size() == file.name.size())) return &file;
  return nullptr;
}

}  // namespace

bool has_restorable_keys(std::string_view path) { return key_file(path) != nullptr; }

Result<RestoredKeys> restore_keys(std::string_view path, std::string_view base, std::string_view candidate,
                                  const CheckCommands& commands) {
  if (base.size() > kMostBytes || candidate.size() > kMostBytes)
    return Error{Errc::protocol, "a file of more than 8 MiB is not restored by key", std::string(path), {}};
  if (const auto* file = key_file(path)) return file->restore(base, candidate, commands);
  return Error{Errc::unsupported, "no keys of this file are known", std::string(path), {}};
}

}  // namespace hydra::integrity
