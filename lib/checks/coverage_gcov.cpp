// Which lines ran, by what gcov says of an object file.
#include "checks/coverage.hpp"

#include <nlohmann/json.hpp>

namespace hydra::checks {

using nlohmann::json;

void add_gcov(std::string_view text, const Sources& sources, Coverage& coverage) {
  const auto document = json::parse(text, nullptr, false);
  if (!document.is_object()) return;
  try {
    const auto directory = document.value("current_working_directory", std::string());
    for (const auto& file : document.value("files", json::array())) {
      const auto name = file.value("file", std::string());
      const auto* path = source_of(sources, name.starts_with('/') ? name : directory + "/" + name);
      if (!path) continue;
      // Code that no function has, as an initializer, runs when the program is loaded, which is no test.
      for (const auto& line : file.value("lines", json::array()))
        if (line.contains("function_name"))
          hit(coverage[*path], line.value("line_number", std::int64_t{0}),
              line.value("count", std::int64_t{0}) > 0);
    }
  } catch (const json::exception&) {
    // Written by code that is being judged: what is not of this form says nothing.
  }
}

}  // namespace hydra::checks
