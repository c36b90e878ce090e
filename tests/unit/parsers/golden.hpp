// The recorded outputs of real tools under tests/golden/parsers, with what is true of the projects they came
// from.
#pragma once

#include "support/places.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace hydra::parsers::golden {

struct Case {
  std::string name, output;
  int exit_code = 0;
  nlohmann::json truth;
};

inline std::string slurp(const std::filesystem::path& p) {
  std::ifstream in(p, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<Case> cases() {
  std::vector<Case> out;
  const std::filesystem::path root = std::filesystem::path(places::golden()) / "parsers";
  for (const auto& tool : std::filesystem::directory_iterator(root))
    for (const auto& dir : std::filesystem::directory_iterator(tool)) {
      Case c;
      c.name = tool.path().filename().string() + "/" + dir.path().filename().string();
      c.output = slurp(dir.path() / "output.txt");
      c.exit_code = std::stoi(slurp(dir.path() / "exit_code"));
      c.truth = nlohmann::json::parse(slurp(dir.path() / "truth.json"));
      out.push_back(std::move(c));
    }
  std::sort(out.begin(), out.end(), [](const Case& a, const Case& b) { return a.name < b.name; });
  return out;
}

}  // namespace hydra::parsers::golden
