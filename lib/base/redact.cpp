#include "base/redact.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>

namespace hydra {
namespace {

constexpr std::string_view kHost = "[host]";
constexpr std::string_view kHidden = "[hidden]";

// Texts followed by a host.
constexpr std::array<std::string_view, 14> kBeforeHost{
    "EAI_AGAIN ",    "ENOTFOUND ",  "resolve host: ",   "resolve host '", "resolve host name \"",
    "resolve '",     "reach host ", "connect to host ", "lookup ",        "hostname ",
    "ECONNREFUSED ", "ETIMEDOUT ",  "EHOSTUNREACH ",    "host='"};
// Words followed by a secret after a blank, quote, ':' or '='; lower case.
constexpr std::array<std::string_view, 14> kBeforeSecret{
    "_authtoken", "_auth",  "_password", "password", "passwd", "secret",        "token",
    "api_key",    "apikey", "api-key",   "bearer",   "basic",  "access_key_id", "private_key"};
// Prefixes that identify tokens.
constexpr std::array<std::string_view, 17> kTokens{
    "ghp_",  "gho_",  "ghu_",    "ghs_",     "ghr_", "github_pat_", "glpat-", "npm_", "pypi-",
    "xoxb-", "xoxp-", "sk-ant-", "sk-proj-", "AKIA", "ASIA",        "AIza",   "eyJ"};
constexpr std::array<std::string_view, 22> kPublic{"localhost",
                                                   "registry.npmjs.org",
                                                   "registry.yarnpkg.com",
                                                   "pypi.org",
                                                   "files.pythonhosted.org",
                                                   "crates.io",
                                                   "index.crates.io",
                                                   "static.crates.io",
                                                   "github.com",
                                                   "codeload.github.com",
                                                   "raw.githubusercontent.com",
                                                   "gitlab.com",
                                                   "proxy.golang.org",
                                                   "sum.golang.org",
                                                   "rubygems.org",
                                                   "index.rubygems.org",
                                                   "packagist.org",
                                                   "repo.packagist.org",
                                                   "repo.maven.apache.org",
                                                   "repo1.maven.org",
                                                   "plugins.gradle.org",
                                                   "static.rust-lang.org"};

bool alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool host_char(char c) { return alnum(c) || c == '.' || c == '-' || c == '_'; }
bool token_char(char c) {
  return alnum(c) || c == '_' || c == '-' || c == '+' || c == '/' || c == '=' || c == '.';
}
bool is_word_char(char c) { return alnum(c) || c == '_'; }

bool keeps(std::string_view host) {
  return host.starts_with("127.") || host == "0.0.0.0" ||
         std::find(kPublic.begin(), kPublic.end(), to_lower(host)) != kPublic.end();
}

class Redactor {
 public:
  explicit Redactor(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    while (at_ < text_.size()) {
      const bool begins = at_ == 0 || !is_word_char(text_[at_ - 1]);
      if (begins && (token() || secret())) continue;
      if (address() || named_host() || user_at_host()) continue;
      out_ += text_[at_++];
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  void copy(std::size_t count) {
    out_ += text_.substr(at_, count);
    at_ += count;
  }

  /// Returns the length of a host at the current position, brackets included; 0: none.
  [[nodiscard]] std::size_t host_length() const {
    const auto text = rest();
    if (text.starts_with('[')) {
      const auto end = text.substr(0, 64).find(']');
      return end == std::string_view::npos ? 0 : end + 1;
    }
    std::size_t n = 0;
    while (n < text.size() && host_char(text[n])) ++n;
    while (n > 0 && text[n - 1] == '.') --n;  // a sentence's full stop
    return n;
  }
  void host() {
    const auto n = host_length();
    const auto name = rest().substr(0, n);
    if (n == 0 || name == "[::1]" || keeps(name)) return copy(n);
    out_ += kHost;
    at_ += n;
  }

  /// Handles "scheme://[user[:word]@]host"; file URIs contain no private host.
  bool address() {
    if (!rest().starts_with("://")) return false;
    copy(3);
    const auto text = rest();
    const auto end = std::min(text.find_first_of("/?# \t\r\n\"'<>"), text.size());
    const auto sign = text.substr(0, end).rfind('@');
    if (sign != std::string_view::npos) {
      out_ += kHidden;
      out_ += '@';
      at_ += sign + 1;
    }
    host();
    return true;
  }

  bool named_host() {
    for (const auto word : kBeforeHost) {
      if (!rest().starts_with(word)) continue;
      copy(word.size());
      // A plain word is no host: "lookup table", "ENOTFOUND error".
      const auto n = host_length();
      const auto name = rest().substr(0, n);
      const bool quoted = word.ends_with('\'') || word.ends_with('"');
      if (quoted || name.find('.') != std::string_view::npos || word == "resolve host: " ||
          (n > 0 && n < rest().size() && rest()[n] == ':' && word.ends_with(' ') && word.front() == 'E'))
        host();
      return true;
    }
    return false;
  }

  /// Handles "git@host:path", "user@host.domain".
  bool user_at_host() {
    if (text_[at_] != '@' || at_ == 0 || !host_char(text_[at_ - 1])) return false;
    std::size_t n = 1;
    while (at_ + n < text_.size() && host_char(text_[at_ + n])) ++n;
    const auto name = rest().substr(1, n - 1);
    const bool scp =
        at_ + n < text_.size() && text_[at_ + n] == ':' && name.find('.') != std::string_view::npos;
    const auto dot = name.rfind('.');
    // "package@1.2.3" is a version.
    const bool mail = dot != std::string_view::npos && dot + 2 < name.size() &&
                      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                                  [](char c) { return alnum(c) && (c < '0' || c > '9'); }) &&
                      !(name.front() >= '0' && name.front() <= '9');
    if (!scp && !mail) return false;
    while (!out_.empty() && (host_char(out_.back()) || out_.back() == '+')) out_.pop_back();
    out_ += kHidden;
    out_ += '@';
    ++at_;
    host();
    return true;
  }

  bool token() {
    for (const auto prefix : kTokens) {
      if (!rest().starts_with(prefix)) continue;
      const auto n = token_length();
      if (n < prefix.size() + 12) continue;
      out_ += kHidden;
      at_ += n;
      return true;
    }
    return false;
  }

  bool secret() {
    for (const auto word : kBeforeSecret) {
      if (rest().size() <= word.size() || to_lower(rest().substr(0, word.size())) != word) continue;
      std::size_t n = word.size();
      while (at_ + n < text_.size() && n < word.size() + 8 &&
             std::string_view(" \t:='\"").find(text_[at_ + n]) != std::string_view::npos)
        ++n;
      const auto between = rest().substr(word.size(), n - word.size());
      const bool assigned = between.find_first_of(":=") != std::string_view::npos;
      const auto start = at_;
      at_ += n;
      const auto length = token_length();
      at_ = start;
      // "token expected" and "Basic usage" are prose; "Bearer abc123…" is not.
      const bool header = word == "bearer" || word == "basic";
      if (n == word.size() || length == 0 || (header ? length < 16 : !assigned)) continue;
      copy(n);
      out_ += kHidden;
      at_ += length;
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t token_length() const {
    const auto text = rest();
    std::size_t n = 0;
    while (n < text.size() && token_char(text[n])) ++n;
    return n;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

}  // namespace

std::string redact(std::string_view text) { return Redactor(text).run(); }

}  // namespace hydra
