// Fixture of `hydra score`: a line in, an answer out, as JSON.
#pragma once

#include "cli/score/functions.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace hydra::cli::score::fixture {

using Json = nlohmann::json;

inline std::string answer_text(std::string_view system, std::string_view line) {
  Document document;
  std::string out;
  const bool good = answer(*system_of(system), line, document, out);
  EXPECT_TRUE(out.ends_with('\n') && out.find('\n') == out.size() - 1) << out;
  EXPECT_EQ(good, out.find("{\"error\":") != 0) << out;
  return out;
}

inline Json ask(std::string_view system, std::string_view line) {
  return Json::parse(answer_text(system, line));
}

/// Equal, numbers up to 4 ulp.
inline bool same(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number())
    return testing::internal::Double(a.get<double>())
        .AlmostEquals(testing::internal::Double(b.get<double>()));
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_object()) {
    for (const auto& [key, value] : a.items())
      if (!b.contains(key) || !same(value, b[key])) return false;
    return true;
  }
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a[i], b[i])) return false;
    return true;
  }
  return a == b;
}

struct Case {
  const char *line, *expected;
};

inline void expect(std::string_view system, const Case& c) {
  const auto answer = ask(system, c.line);
  EXPECT_TRUE(same(answer, Json::parse(c.expected)))
      << c.line << "\n  " << answer.dump() << "\n  " << c.expected;
}

/// The answer is this error, and its message names this field.
inline void expect_error(std::string_view system, std::string_view line, std::string_view label,
                         std::string_view field) {
  const auto answer = ask(system, line);
  ASSERT_TRUE(answer.contains("error")) << line << "\n  " << answer.dump();
  EXPECT_EQ(answer["error"], label) << line << "\n  " << answer.dump();
  EXPECT_NE(answer["message"].get<std::string>().find(field), std::string::npos)
      << line << "\n  " << answer.dump();
  EXPECT_EQ(answer.size(), 2U);
}

}  // namespace hydra::cli::score::fixture
