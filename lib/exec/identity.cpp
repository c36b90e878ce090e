#include "exec/identity.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace hydra::exec {
namespace {

constexpr std::size_t kPasswdFields = 7, kHome = 5;
constexpr const char* kPlainName = "user";

bool plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
         });
}

/// The wanted name, or else a plain one that the list does not have yet.
std::string free_name(const std::string& wanted, const std::set<std::string>& taken) {
  if (plain_name(wanted) && !taken.contains(wanted)) return wanted;
  std::string name = kPlainName;
  for (int n = 2; taken.contains(name); ++n) name = kPlainName + std::to_string(n);
  return name;
}

std::string with_line_end(std::string_view text) {
  std::string all(text);
  if (!all.empty() && !all.ends_with('\n')) all += '\n';
  return all;
}

}  // namespace

std::string passwd_with(std::string_view passwd, const Identity& identity) {
  const auto home = identity.home.string();
  // a line cannot express such a home
  if (home.find_first_of(":\n") != std::string::npos) return std::string(passwd);
  std::set<std::string> names;
  std::string out;
  bool found = false;
  for (const auto line : lines(passwd)) {
    auto fields = split(line, ':');
    names.emplace(fields[0]);
    const bool own = fields.size() == kPasswdFields && fields[2] == std::to_string(identity.uid);
    if (own && !found && fields[kHome] == home) return std::string(passwd);
    if (own && !found) fields[kHome] = home;
    found = found || own;
    for (std::size_t i = 0; i < fields.size(); ++i) out += (i == 0 ? "" : ":") + std::string(fields[i]);
    out += '\n';
  }
  if (found) return out;
  return with_line_end(passwd) + free_name(identity.user, names) + ":x:" + std::to_string(identity.uid) +
         ":" + std::to_string(identity.gid) + "::" + home + ":/bin/sh\n";
}

std::string group_with(std::string_view group, const Identity& identity) {
  std::set<std::string> names;
  for (const auto line : lines(group)) {
    const auto fields = split(line, ':');
    names.emplace(fields[0]);
    if (fields.size() >= 3 && fields[2] == std::to_string(identity.gid)) return std::string(group);
  }
  return with_line_end(group) + free_name(identity.user, names) + ":x:" + std::to_string(identity.gid) +
         ":\n";
}

}  // namespace hydra::exec
