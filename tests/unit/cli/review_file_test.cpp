// Lines of `hydra retry --review`.
#include "cli/review_file.hpp"

#include <gtest/gtest.h>

namespace hydra::cli {
namespace {

/// "path:line-end at|text", one comment a line; else the error.
std::string read(std::string_view text) {
  const auto review = parse_review(text, "r.txt");
  if (!review.ok()) return describe(review.error());
  std::string out;
  for (const auto& one : *review)
    out += one.path + ":" + std::to_string(one.line) + "-" + std::to_string(one.end) + " " + one.at + "|" +
           one.text + "\n";
  return out;
}

TEST(ReviewFile, LinesRangesAndContinuations) {
  EXPECT_EQ(read("src/a.py:12: why not hmac?\n\n  It is there: see b.py:3: x\nb c.py:3-5: all\n"),
            "src/a.py:12-0 r.txt:1|why not hmac?\nIt is there: see b.py:3: x\nb c.py:3-5 r.txt:4|all\n");
  EXPECT_EQ(read("a.py:7:\n  below\n"), "a.py:7-0 r.txt:1|below\n");
  EXPECT_EQ(read("odd:name:2: x: 9: y\r\n"), "odd:name:2-0 r.txt:1|x: 9: y\n");
}

TEST(ReviewFile, ErrorsNameFileAndLine) {
  const auto begins = [](const std::string& text, const std::string& words) {
    EXPECT_EQ(read(text).substr(0, words.size()), words) << text;
  };
  begins("a.py:1: x\nno place\n", "r.txt:2: the line names no file and line");
  begins("a.py: x\n", "r.txt:1: the line names no file and line");
  begins(":3: x\n", "r.txt:1: the line names no file and line");
  begins("  x\n", "r.txt:1: an indented line continues no comment");
  begins("a.py:1: \xff\n", "r.txt:1: the line is not valid UTF-8");
  begins("\n", "r.txt:1: the review has no comment");
}

}  // namespace
}  // namespace hydra::cli
