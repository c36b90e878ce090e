// exec: who a sandboxed job is by the machine's own lists. Programs ask them for the home (Java's user.home,
// ssh, getpwuid) rather than $HOME. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hydra::exec {

struct Identity {
  unsigned uid = 0, gid = 0;
  std::filesystem::path home;
  std::string user;  ///< a name to give where the list has none; may be empty
};

/// The text of /etc/passwd in which that uid has that home. The same text where it has it already.
std::string passwd_with(std::string_view passwd, const Identity& identity);
/// The text of /etc/group in which that gid has a name.
std::string group_with(std::string_view group, const Identity& identity);

}  // namespace hydra::exec
