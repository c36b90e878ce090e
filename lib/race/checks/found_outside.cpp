#include "race/checks/found_outside.hpp"

#include "base/strings.hpp"
#include "exec/tool.hpp"
#include "model/environment.hpp"
#include "race/job_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <vector>

namespace hydra::race {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLastLines = 40;

// Variables that every shell sets; a log that names one of these tells nothing.
constexpr std::array<std::string_view, 8> kOfTheShell{"PWD",  "OLDPWD",   "SHLVL", "TERM",
                                                      "MAIL", "HOSTNAME", "_",     "COLUMNS"};

bool of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_./-+@~").find(c) != std::string_view::npos;
}

/// Returns the words of the last lines, without punctuation at the ends.
std::vector<std::string> last_words_of(std::string_view log) {
  std::vector<std::string> words;
  const auto all = lines(log);
  for (std::size_t i = all.size() - std::min(kLastLines, all.size()); i < all.size(); ++i) {
    const auto line = sanitize(all[i]);
    for (std::size_t at = 0; at < line.size();) {
      const auto begin = at;
      while (at < line.size() && of_a_name(line[at])) ++at;
      auto word = std::string_view(line).substr(begin, at - begin);
      while (word.ends_with('.') || word.ends_with('-')) word.remove_suffix(1);
      if (word.size() > 1) words.emplace_back(word);
      if (at == begin) ++at;
    }
  }
  return words;
}

/// Returns whether the sandbox hides an existing path that holds neither credentials nor the checkout.
bool hides(const model::RaceSpec& spec, const fs::path& path) {
  const fs::path home = model::variable(spec, "HOME");
  std::error_code ec;
  if (!path.is_absolute() || home.empty() || path == home || !detail::below(path, home)) return false;
  if (detail::below(path, spec.repository.root) || detail::holds_more(path, home, spec.repository.root))
    return false;
  return !detail::holds_secrets(path, home) && fs::exists(path, ec);
}

model::Advice advice(std::string signature, const std::string& text) {
  return {std::move(signature), text, false};
}

std::string in_home(const model::RaceSpec& spec, const fs::path& path) {
  return "~/" + path.lexically_relative(model::variable(spec, "HOME")).string();
}

}  // namespace

std::optional<model::Advice> found_outside(const model::RaceSpec& spec, std::string_view log_tail) {
  if (!model::sandboxed(spec)) return std::nullopt;
  const auto words = last_words_of(log_tail);
  for (const auto& word : words) {
    const auto& names = spec.secret_names;
    const bool of_the_shell = std::find(kOfTheShell.begin(), kOfTheShell.end(), word) != kOfTheShell.end();
    if (!of_the_shell && std::find(names.begin(), names.end(), word) != names.end())
      return advice("variable-outside", "the variable " + word + " is set in your shell and not in checks: " +
                                            "[workspace] env = [\"" + word + "\"]");
  }
  for (const auto& word : words)
    if (hides(spec, word)) {
      const auto shown = in_home(spec, word);
      return advice("path-outside", shown + " exists on this machine and checks do not see it: " +
                                        "[workspace] read = [\"" + shown + "\"]");
    }
  for (const auto& word : words) {
    if (word.find('/') != std::string::npos) continue;
    const fs::path home = model::variable(spec, "HOME");
    for (const char* directory : {".local/bin", "bin", ".cargo/bin", "go/bin", ".bun/bin", ".deno/bin"}) {
      const auto program = home / directory / word;
      if (!hides(spec, program) || !exec::find_program(word, model::variable(spec, "PATH")).empty()) continue;
      return advice("program-outside", in_home(spec, program) + " exists and its directory is not in PATH: " +
                                           "export PATH=\"$HOME/" + directory + ":$PATH\"");
    }
  }
  return std::nullopt;
}

}  // namespace hydra::race
