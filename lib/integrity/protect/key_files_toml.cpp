#include "base/strings.hpp"
#include "base/toml.hpp"
#include "integrity/protect/key_files.hpp"

#include <algorithm>
#include <sstream>

namespace hydra::integrity {
namespace {

using Keys = std::vector<std::string>;
using Path = std::vector<std::string>;

std::string as_text(const toml::node& node) {
  std::ostringstream out;
  node.visit([&](const auto& value) {
    if constexpr (toml::is_table<decltype(value)> || toml::is_array<decltype(value)>)
      out << value;
    else
      out << value.get();
  });
  return out.str();
}

Result<toml::table> read_toml(std::string_view text) {
  // toml++ is built with exceptions, so they are caught at the library's edge.
  try {
    return parse_toml(text);
  } catch (const toml::parse_error& error) {
    return Error{Errc::protocol, "not TOML: " + sanitize(error.description()), {}, {}};
  }
}

const toml::node* find(const toml::table& table, const Path& path) {
  const toml::node* node = &table;
  for (const auto& part : path) {
    const auto* inner = node->as_table();
    if (inner == nullptr) return nullptr;
    node = inner->get(part);
    if (node == nullptr) return nullptr;
  }
  return node;
}

bool equal(const toml::node* a, const toml::node* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->type() == b->type() && as_text(*a) == as_text(*b);
}

/// Restores the base's value at `path`; removes the key if the base has none.
void put_back(const toml::table& base, toml::table& candidate, const Path& path, Keys& keys) {
  const auto* from = find(base, path);
  if (equal(from, find(candidate, path))) return;
  auto* table = &candidate;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    auto* next = table->get(path[i]);
    if (next == nullptr || !next->is_table()) {
      if (from == nullptr) return;
      next = &table->insert_or_assign(path[i], toml::table{}).first->second;
    }
    table = next->as_table();
  }
  if (from == nullptr)
    table->erase(path.back());
  else
    from->visit([&](const auto& value) { table->insert_or_assign(path.back(), value); });
  keys.push_back(join(path, "."));
}

/// Names below `path` in either file that start with one of `prefixes`.
Keys names_below(const toml::table& base, const toml::table& candidate, const Path& path,
                 const std::vector<std::string_view>& prefixes) {
  Keys out;
  for (const auto* file : {&base, &candidate}) {
    const auto* node = find(*file, path);
    if (node == nullptr || !node->is_table()) continue;
    for (const auto& [key, value] : *node->as_table()) {
      const std::string_view text = key.str();
      if (std::any_of(prefixes.begin(), prefixes.end(),
                      [&](auto prefix) { return text.starts_with(prefix); }))
        out.emplace_back(text);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Restores `harness`, `test`, `doctest` and `bench` of [lib] and of each [[bin]] and [[example]] by its
/// name.
void put_back_targets(const toml::table& base, toml::table& candidate, Keys& keys) {
  const Keys flags{"test", "doctest", "harness", "bench"};
  for (const auto& flag : flags) put_back(base, candidate, {"lib", flag}, keys);
  for (const std::string kind : {"bin", "example"}) {
    auto* list = candidate.get_as<toml::array>(kind);
    if (list == nullptr) continue;
    const auto* old = base.get_as<toml::array>(kind);
    for (auto& node : *list) {
      auto* target = node.as_table();
      if (target == nullptr) continue;
      const auto own = (*target)["name"].value_or(std::string());
      const toml::table none;
      const toml::table* before = &none;
      if (old != nullptr)
        for (const auto& entry : *old)
          if (const auto* table = entry.as_table();
              table != nullptr && (*table)["name"].value_or(std::string()) == own)
            before = table;
      Keys changed;
      for (const auto& flag : flags) put_back(*before, *target, {flag}, changed);
      for (const auto& flag : changed) keys.push_back(kind + "." + sanitize(own) + "." + flag);
    }
  }
}

Result<RestoredKeys> done(const toml::table& table, std::string_view candidate, Keys keys) {
  RestoredKeys out;
  if (keys.empty()) {
    out.text = candidate;
    return out;
  }
  std::ostringstream text;
  text << table << '\n';
  out.text = text.str();
  for (auto& key : keys) key = sanitize(key);
  out.keys = std::move(keys);
  return out;
}

struct TomlFiles {
  toml::table base, candidate;
};

Result<TomlFiles> read_both_toml(std::string_view base, std::string_view candidate) {
  HYDRA_TRY(auto c, read_toml(candidate));
  auto b = read_toml(base);
  return TomlFiles{b ? std::move(*b) : toml::table{}, std::move(c)};
}

}  // namespace

Result<RestoredKeys> restore_pyproject(std::string_view base_text, std::string_view text) {
  HYDRA_TRY(auto files, read_both_toml(base_text, text));
  auto& [base, candidate] = files;
  Keys keys;
  for (const auto& name :
       names_below(base, candidate, {"tool"},
                   {"pytest",       "coverage",   "tox",        "nox",         "hatch-test",      "ruff",
                    "flake8",       "pylint",     "mypy",       "black",       "isort",           "pyright",
                    "basedpyright", "bandit",     "pydocstyle", "pycodestyle", "autopep8",        "yapf",
                    "behave",       "hypothesis", "poe",        "taskipy",     "inline-snapshot", "mutmut",
                    "vulture",      "interrogate"}))
    put_back(base, candidate, {"tool", name}, keys);
  // A runner plugin by entry point is installed with the package and loaded by every run.
  put_back(base, candidate, {"project", "entry-points", "pytest11"}, keys);
  put_back(base, candidate, {"tool", "poetry", "plugins", "pytest11"}, keys);
  put_back(base, candidate, {"tool", "pdm", "scripts", "test"}, keys);
  put_back(base, candidate, {"tool", "hatch", "envs", "hatch-test"}, keys);
  return done(candidate, text, std::move(keys));
}

Result<RestoredKeys> restore_cargo(std::string_view base_text, std::string_view text) {
  HYDRA_TRY(auto files, read_both_toml(base_text, text));
  auto& [base, candidate] = files;
  Keys keys;
  for (const Path& path :
       {Path{"test"}, Path{"bench"}, Path{"profile", "test"}, Path{"profile", "dev"},
        Path{"profile", "bench"}, Path{"package", "autotests"}, Path{"package", "autobenches"},
        Path{"package", "metadata", "nextest"}, Path{"lints"}, Path{"workspace", "lints"},
        Path{"workspace", "default-members"}, Path{"workspace", "exclude"}})
    put_back(base, candidate, path, keys);
  put_back_targets(base, candidate, keys);
  return done(candidate, text, std::move(keys));
}

}  // namespace hydra::integrity
