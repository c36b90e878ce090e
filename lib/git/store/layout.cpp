#include "git/store/layout.hpp"

#include "base/fd.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"
#include "git/letter_case.hpp"
#include "git/repository.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace hydra::git {
namespace {

/// Writes "filter.lfs.clean" with its own section header: git allows repeated sections.
std::string setting(std::string_view key, std::string_view value) {
  const auto first = key.find('.');
  const auto last = key.rfind('.');
  if (first == std::string_view::npos) return {};
  std::string text = "[" + std::string(key.substr(0, first));
  if (last > first) text += " " + in_quotes(key.substr(first + 1, last - first - 1));
  return text + "]\n\t" + std::string(key.substr(last + 1)) + " = " + in_quotes(value) + "\n";
}

std::string configuration(const model::RepositoryFacts& facts) {
  const bool sha256 = facts.object_format == "sha256";
  const auto remote = promisor_remote(facts);
  std::string text = "[core]\n\trepositoryformatversion = " + std::string(sha256 || remote ? "1" : "0") +
                     "\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n[gc]\n\tauto = 0\n";
  if (sha256) text += setting("extensions.objectformat", "sha256");
  if (remote) {
    text += setting("extensions.partialClone", *remote);
    text += setting("remote." + *remote + ".promisor", "true");
  }
  // Build tools ask for the project's origin; pushes from a race lead nowhere.
  if (!facts.origin.empty()) {
    text += setting("remote.origin.url", facts.origin);
    text += setting("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    text += setting("remote.origin.pushurl", "no-push-from-a-race");
  }
  text += setting("user.name", facts.user_name) + setting("user.email", facts.user_email);
  for (const auto& [key, value] : facts.conversion)
    if (key != kIgnoreCase) text += setting(key, value);
  return text;
}

std::string unquoted(std::string_view line) {
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return std::string(line);
  std::string text;
  line = line.substr(1, line.size() - 2);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 >= line.size()) {
      text += line[i];
      continue;
    }
    const char c = line[++i];
    if (c >= '0' && c <= '3' && i + 2 < line.size()) {
      text += static_cast<char>((c - '0') * 64 + (line[i + 1] - '0') * 8 + (line[i + 2] - '0'));
      i += 2;
    } else {
      text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return text;
}

}  // namespace

std::string in_quotes(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string alternates_line(const fs::path& path) {
  const std::string text = path.string();
  const bool plain = !text.starts_with('"') && !text.starts_with('#') && text.find('\n') == std::string::npos;
  return (plain ? text : in_quotes(text)) + "\n";
}

std::vector<std::string> alternates_of(const fs::path& objects) {
  std::vector<std::string> found;
  const std::function<void(const fs::path&, int)> follow = [&](const fs::path& from, int depth) {
    const auto text = read_file(from / "info" / "alternates", 1 << 20);
    if (!text.ok() || depth > 5) return;
    for (const auto line : lines(*text)) {
      if (line.empty() || line.front() == '#') continue;
      fs::path path = unquoted(line);
      if (path.is_relative()) path = from / path;
      std::error_code error;
      const auto real = fs::canonical(path, error);
      if (error || std::find(found.begin(), found.end(), real.string()) != found.end()) continue;
      found.push_back(real.string());
      follow(real, depth + 1);
    }
  };
  follow(objects, 0);
  return found;
}

std::optional<std::string> promisor_remote(const model::RepositoryFacts& facts) {
  if (!facts.partial) return std::nullopt;
  const auto config = read_file(fs::path(facts.common_dir) / "config", 1 << 22);
  if (!config.ok()) return "origin";
  std::string section;
  for (const auto raw : lines(*config)) {
    const auto line = trim(raw);
    if (line.starts_with("[remote \"") && line.ends_with("\"]"))
      section = std::string(line.substr(9, line.size() - 11));
    else if (line.starts_with('['))
      section.clear();
    if (!section.empty() && to_lower(line).starts_with("promisor") && line.ends_with("true")) return section;
  }
  return "origin";
}

Result<void> write_repository(const fs::path& git_dir, const RepositoryFiles& files,
                              const model::RepositoryFacts& facts) {
  for (const char* dir : {"objects/info", "objects/pack", "refs/heads", "info"})
    HYDRA_CHECK(make_dirs(git_dir / dir));
  std::string alternates;
  for (const auto& path : files.objects) alternates += alternates_line(path);
  HYDRA_CHECK(write_file(git_dir / "objects/info/alternates", alternates));
  HYDRA_CHECK(write_file(git_dir / "config", configuration(facts)));
  if (!files.packed_refs.empty()) HYDRA_CHECK(write_file(git_dir / "packed-refs", files.packed_refs));
  if (!files.attributes.empty()) HYDRA_CHECK(write_file(git_dir / "info/attributes", files.attributes));
  if (facts.shallow) {
    HYDRA_TRY(auto shallow, read_file(fs::path(facts.common_dir) / "shallow"));
    HYDRA_CHECK(write_file(git_dir / "shallow", shallow));
  }
  if (files.branch.empty()) return write_file(git_dir / "HEAD", files.commit + "\n");
  HYDRA_CHECK(make_dirs((git_dir / files.branch).parent_path()));
  HYDRA_CHECK(write_file(git_dir / files.branch, files.commit + "\n"));
  return write_file(git_dir / "HEAD", "ref: " + files.branch + "\n");
}

fs::path linked_git_dir(const fs::path& checkout) {
  const auto text = read_file(checkout / ".git", 1 << 16);
  if (!text.ok() || !text->starts_with("gitdir: ")) return {};
  return checkout / std::string(trim(std::string_view(*text).substr(8)));
}

void drop_lock(const fs::path& file) { ::unlink((file.string() + ".lock").c_str()); }

void ScratchIndex::clear() const {
  (void)remove_tree(file_);
  drop_lock(file_);
}

Result<void> copy_index(const fs::path& from, const fs::path& to) {
  drop_lock(to);
  struct stat st {};
  if (::stat(from.c_str(), &st) != 0) return system_error("cannot read " + from.string(), errno);
  HYDRA_TRY(auto bytes, read_file(from, std::size_t{1} << 30));
  HYDRA_CHECK(write_file(to, bytes, 0600));
  const timespec times[2] = {st.st_mtim, st.st_mtim};
  if (::utimensat(AT_FDCWD, to.c_str(), times, 0) != 0)
    return system_error("cannot set times of " + to.string(), errno);
  return {};
}

Result<fs::path> move_aside(const fs::path& path) {
  struct stat st {};
  if (::lstat(path.c_str(), &st) != 0) return fs::path{};
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const fs::path target =
        path.parent_path() / (path.filename().string() + ".old-" + std::to_string(::getpid()) + "-" +
                              std::to_string(counter.fetch_add(1)));
    if (::lstat(target.c_str(), &st) == 0) continue;
    if (::rename(path.c_str(), target.c_str()) == 0) return target;
    return system_error("cannot rename " + path.string(), errno);
  }
  return Error{Errc::io, "no free name to move " + path.string() + " to", {}, {}};
}

}  // namespace hydra::git
