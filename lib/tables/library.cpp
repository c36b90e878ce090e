#include "tables/library.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace hydra::tables {

void Library::read_users() {
  std::vector<Error> ignored;
  if (!from_) return;
  for (const auto& file : from_()) {
    users_.emplace_back();
    if (!append(file.name, file.text, users_.back(), ignored)) users_.pop_back();
  }
}

void Library::read(const ReadFileOf& read) {
  std::call_once(once_, [this] { read_users(); });
  std::vector<Error> ignored, errors;
  std::vector<std::string_view> names;
  for (const auto& tree : users_) {
    const Value file(tree.nodes.data(), tree.texts);
    names.push_back(file.key());
    read(file, ignored);
  }
  for (std::size_t at = 0; at < own_.count; at += 1 + own_.nodes[at].inside) {
    const Value file(own_.nodes + at, own_.texts);
    if (std::find(names.begin(), names.end(), file.key()) == names.end()) read(file, errors);
  }
  // Built-in files are covered by a test, so an error means a broken build.
  for (const auto& error : errors)
    std::fprintf(stderr, "hydra: built-in %s: %s\n", std::string(kind_).c_str(), describe(error).c_str());
  if (!errors.empty()) std::abort();
}

std::vector<Error> mistakes(const std::vector<TextFile>& files, const ReadFileOf& read) {
  std::vector<Error> errors;
  for (const auto& file : files) {
    Tree tree;
    if (append(file.name, file.text, tree, errors)) read({tree.nodes.data(), tree.texts}, errors);
  }
  return errors;
}

}  // namespace hydra::tables
