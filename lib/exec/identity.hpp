// exec: entries for a sandboxed job in the machine's passwd and group lists. Programs (Java's user.home, ssh,
// getpwuid) take the home from these lists rather than from $HOME. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hydra::exec {

struct Identity {
  unsigned uid = 0, gid = 0;
  std::filesystem::path home;
  std::string user;  ///< name for a missing entry; may be empty
};

/// Returns the text of /etc/passwd in which the uid has that home; unchanged if it already has.
std::string passwd_with(std::string_view passwd, const Identity& identity);
/// Returns the text of /etc/group in which the gid has a name.
std::string group_with(std::string_view group, const Identity& identity);

}  // namespace hydra::exec
