// e2e: tables of docs/integrity.md that are made of what is tried.
#pragma once

#include "cheats.hpp"
#include "support/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace hydra::e2e {

/// The cheat or class that a candidate's name begins with.
inline std::string cheat_of(const Candidate& candidate) {
  return candidate.name.substr(0, candidate.name.find('-'));
}

/// How often each kind is tried in each runner, or a note why it has no meaning there.
inline std::string matrix(const std::vector<Runner>& runners,
                          const std::vector<std::pair<std::string, std::string>>& kinds) {
  std::ostringstream out;
  out << "| |";
  for (const auto& runner : runners) out << " " << runner.name << " |";
  out << "\n|---|";
  for (std::size_t i = 0; i < runners.size(); ++i) out << "---|";
  std::vector<std::string> notes;
  for (const auto& [cheat, what] : kinds) {
    out << "\n| " << what << " |";
    for (const auto& runner : runners) {
      const auto count = std::count_if(runner.project.cheats.begin(), runner.project.cheats.end(),
                                       [&](const Candidate& each) { return cheat_of(each) == cheat; });
      if (count > 0) {
        out << " " << count << " |";
        continue;
      }
      const auto& why = runner.no_meaning.at(cheat);
      auto note = std::find(notes.begin(), notes.end(), why);
      if (note == notes.end()) note = notes.insert(notes.end(), why);
      out << " (" << note - notes.begin() + 1 << ") |";
    }
  }
  out << "\n";
  for (std::size_t i = 0; i < notes.size(); ++i)
    out << (i == 0 ? "\n" : "; ") << "(" << i + 1 << ") " << notes[i];
  out << ".\n";
  return out.str();
}

/// The table below `heading`, up to the next one; with HYDRA_REGENERATE it is written.
inline void document_shows(const std::string& heading, const std::string& table) {
  const auto path = fs::path(places::source()) / "docs/integrity.md";
  auto text = slurp(path);
  const auto section = text.find(heading);
  ASSERT_NE(section, std::string::npos);
  const auto begin = text.find("| |", section), end = text.find("\n## ", section) + 1;
  ASSERT_LT(begin, end);
  if (std::getenv("HYDRA_REGENERATE") != nullptr) {
    std::ofstream(path) << text.replace(begin, end - begin, table + "\n");
    return;
  }
  EXPECT_EQ(text.substr(begin, end - begin), table + "\n") << "run it once with HYDRA_REGENERATE=1";
}

}  // namespace hydra::e2e
