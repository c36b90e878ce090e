// The part of a Dockerfile that a host can do without building the image: plain bases, packages that the host
// may have, directories and copied files below the working directory.
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "suite/suite.hpp"

#include <algorithm>
#include <array>

namespace hydra::suite {
namespace {

constexpr std::array<std::string_view, 9> kPlainBases{
    "debian*",           "ubuntu*",           "python",
    "python:*",          "buildpack-deps:*",  "ghcr.io/laude-institute/t-bench/ubuntu*",
    "docker.io/debian*", "docker.io/ubuntu*", "ghcr.io/laude-institute/t-bench/python*"};
/// Variables that affect tools during the image's build, but not its contents.
constexpr std::array<std::string_view, 9> kQuietVariables{"DEBIAN_FRONTEND",
                                                          "PYTHONUNBUFFERED",
                                                          "PYTHONDONTWRITEBYTECODE",
                                                          "PIP_*",
                                                          "LANG",
                                                          "LC_*",
                                                          "TZ",
                                                          "TEST_DIR",
                                                          "UV_*"};
constexpr std::array<std::string_view, 14> kSystemPlaces{"/",     "/bin", "/boot", "/dev",  "/etc",
                                                         "/home", "/lib", "/proc", "/root", "/run",
                                                         "/sbin", "/sys", "/tmp",  "/usr"};

bool matches(std::string_view text, const auto& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](std::string_view pattern) { return match_component(pattern, text); });
}

/// Whether the base image is plain; a name with slashes matches as one component.
bool plain_base(std::string_view base) {
  const auto flat = replace_all(std::string(base), "/", "%");
  return std::any_of(kPlainBases.begin(), kPlainBases.end(), [&](std::string_view pattern) {
    return match_component(replace_all(std::string(pattern), "/", "%"), flat);
  });
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (const char c : line) {
    if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
      quote = quote != 0 ? '\0' : c;
      open = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (open || !word.empty()) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      word += c;
    }
  }
  if (open || !word.empty()) words.push_back(std::move(word));
  return words;
}

/// Returns the instructions, with continued lines joined and comments removed.
std::vector<std::string> instructions(std::string_view text) {
  std::vector<std::string> all;
  std::string open;
  for (const auto raw : lines(text)) {
    auto line = trim(raw);
    if (line.empty() || line.front() == '#') continue;
    const bool goes_on = line.back() == '\\';
    if (goes_on) line.remove_suffix(1);
    open += (open.empty() ? "" : " ") + std::string(trim(line));
    if (goes_on) continue;
    all.push_back(std::move(open));
    open.clear();
  }
  if (!open.empty()) all.push_back(std::move(open));
  return all;
}

/// Returns an absolute path relative to the working directory; nullopt: outside.
std::optional<std::string> in_tree(const fs::path& path, const fs::path& workdir) {
  const auto relative = path.lexically_normal().lexically_relative(workdir);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  auto text = relative.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string bare_package(const std::string& word) { return word.substr(0, word.find_first_of("=<>!~[;")); }

/// Adds the packages of an install command, without options; false for a requirements file, whose contents
/// are unknown.
bool add_packages(const std::vector<std::string>& words, std::size_t from, std::vector<std::string>& to) {
  for (std::size_t i = from; i < words.size(); ++i) {
    const auto& word = words[i];
    if (word == "--retries" || word == "--timeout" || word == "-o" || word == "-t") {
      ++i;
    } else if (word == "-r" || word == "-e" || word.find('/') != std::string::npos || word.starts_with("$")) {
      return false;
    } else if (!word.starts_with("-")) {
      to.push_back(bare_package(word));
    }
  }
  return true;
}

class Reader {
 public:
  Image read(std::string_view text) {
    for (const auto& line : instructions(text)) {
      const auto blank = line.find_first_of(" \t");
      const auto verb = to_lower(line.substr(0, blank));
      const auto rest = blank == std::string::npos ? "" : std::string(trim(line.substr(blank)));
      if (!one(verb, rest) && image_.needs.empty())
        image_.needs = line.size() > 80 ? line.substr(0, 77) + "..." : line;
    }
    finish();
    return std::move(image_);
  }

 private:
  bool one(const std::string& verb, const std::string& rest) {
    if (verb == "from") return !std::exchange(based_, true) && plain_base(rest);
    if (verb == "workdir") return workdir(rest);
    if (verb == "copy" || verb == "add") return copy(rest);
    if (verb == "run") return run(rest);
    if (verb == "env") return env(rest);
    // Start commands and labels do not matter, since the job runs its own command.
    return verb == "cmd" || verb == "label" || verb == "maintainer" || verb == "expose" || verb == "shell";
  }

  fs::path at(const std::string& path) const {
    return (path.starts_with('/') ? fs::path(path) : fs::path(workdir_) / path).lexically_normal();
  }

  bool workdir(const std::string& rest) {
    const auto words = words_of(rest);
    if (words.size() != 1 || words[0].find('$') != std::string::npos) return false;
    auto path = at(words[0]).string();
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    workdir_ = path;
    return true;
  }

  bool copy(const std::string& rest) {
    if (rest.starts_with('[')) return false;
    auto words = words_of(rest);
    while (!words.empty() && words.front().starts_with("--")) {
      if (!words.front().starts_with("--chown") && !words.front().starts_with("--link")) return false;
      words.erase(words.begin());
    }
    if (words.size() < 2) return false;
    const auto target = words.back();
    words.pop_back();
    for (const auto& word : words) {
      if (word.find_first_of("*?[$") != std::string::npos || word.find("..") != std::string::npos ||
          word.find("://") != std::string::npos)
        return false;
      copies_.push_back({word, at(target), target.ends_with('/') || words.size() > 1});
    }
    return true;
  }

  /// Accepts a line whose commands only install packages that the host may have.
  bool run(const std::string& rest) {
    if (rest.find_first_of("|;`$<") != std::string::npos || rest.starts_with('[')) return false;
    auto commands = replace_all(rest, "&&", "\n");
    for (const auto command : lines(commands))
      if (!command_of(words_of(trim(command)))) return false;
    return true;
  }

  bool command_of(const std::vector<std::string>& words) {
    if (words.empty()) return true;
    const auto& program = words[0];
    const auto is = [&](std::size_t i, std::string_view word) {
      return words.size() > i && words[i] == word;
    };
    if (program == "apt-get" || program == "apt") {
      std::size_t verb = 1;
      while (verb < words.size() && words[verb].starts_with('-')) ++verb;
      if (is(verb, "install")) return add_packages(words, verb + 1, image_.apt);
      return is(verb, "update") || is(verb, "clean") || is(verb, "upgrade") || is(verb, "autoremove");
    }
    if ((program == "pip" || program == "pip3") && is(1, "install"))
      return add_packages(words, 2, image_.pip);
    if (program.starts_with("python") && is(1, "-m") && is(2, "pip") && is(3, "install"))
      return add_packages(words, 4, image_.pip);
    if (program == "rm")
      return std::all_of(words.begin() + 1, words.end(), [](const auto& word) {
        return word.starts_with('-') || word.starts_with("/var/lib/apt/") || word.starts_with("/var/cache/");
      });
    if (program != "mkdir") return program == "true";
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!words[i].starts_with('-')) directories_.push_back(at(words[i]));
    return true;
  }

  bool env(const std::string& rest) {
    const auto words = words_of(rest);
    const bool pairs = !words.empty() && words[0].find('=') != std::string::npos;
    if (!pairs) return !words.empty() && matches(words[0], kQuietVariables);
    return std::all_of(words.begin(), words.end(), [](const auto& word) {
      return matches(std::string_view(word).substr(0, word.find('=')), kQuietVariables);
    });
  }

  void need(const std::string& what) {
    if (image_.needs.empty()) image_.needs = what;
  }

  void finish() {
    image_.workdir = workdir_ == "/" ? "/app" : workdir_;
    const fs::path tree = image_.workdir;
    if (std::find(kSystemPlaces.begin(), kSystemPlaces.end(), image_.workdir) != kSystemPlaces.end() ||
        image_.workdir.starts_with("/usr/") || image_.workdir.starts_with("/etc/"))
      need("WORKDIR " + image_.workdir);
    for (const auto& copied : copies_) {
      if (const auto to = in_tree(copied.to, tree))
        image_.copies.push_back({copied.from, *to, copied.into});
      else
        need("COPY " + copied.from + " " + copied.to.string());
    }
    for (const auto& directory : directories_) {
      if (const auto inside = in_tree(directory, tree)) {
        image_.directories.push_back(*inside);
      } else if (directory != "/logs" && !directory.string().starts_with("/logs/") && directory != "/tests") {
        need("RUN mkdir " + directory.string());
      }
    }
    if (!based_) need("no FROM");
  }

  struct Copied {
    std::string from;
    fs::path to;
    bool into;
  };
  Image image_;
  std::string workdir_ = "/";
  bool based_ = false;
  std::vector<Copied> copies_;
  std::vector<fs::path> directories_;
};

}  // namespace

Image read_dockerfile(std::string_view text) { return Reader().read(text); }

}  // namespace hydra::suite
