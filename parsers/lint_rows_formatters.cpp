// Formatters: one warning a file that is not formatted, an error where a file can't be read at all.
#include "parsers/lint_scan.hpp"

namespace hydra::parsers {
namespace {

using enum LintRow::Kind;

constexpr LintRow kFormatters[] = {
    {finding, "black", "error: cannot format %f: %m", E},
    {per_file, "black", "would reformat %f", W},
    {per_file, "black", "reformatted %f", W},
    {per_file, "ruff", "Would reformat: %f", W},
    {finding, "ruff", "error: Failed to parse %f:%l:%c: %m", E},
    {finding, "ruff", "error: Failed to format %f: %m", E},
    // The name says ERROR, and the tool has no severities: counted as it prints them.
    {per_file, "isort", "ERROR: %f Imports are incorrectly sorted%z", E},
    {per_file, "isort", "Fixing %f.py", W},
    {per_file, "pre-commit-hooks", "Fixing %f", W},
    {per_file, "yapf", "%f: needs formatting", W},
    {per_file, "rustfmt", "Diff in %f at line %l:", W},
    {per_file, "stylua", "Diff in %f.lua:", W},
    {per_file, "rustfmt", "Diff in %f:%l:", W},
    {per_file, "stylua", "Diff in %f:", W},
    {per_file, "dart", "Changed %f", W},
    {per_file, "nixfmt", "%f: not formatted", W},
    {per_file, "terraform", "--- old/%f", W},
    {per_file, "cmake-format", "ERROR:%z:Check failed: %f", W},
    {per_file, "csharpier", "Error %f - Was not formatted.", W},
    {per_file, "csharpier", "Warn %f - Was not formatted.", W},
    {per_file, "taplo", "ERROR %z the file is not properly formatted path=\"%f\"", W},
    {per_file, "mdformat", "Error: File \"%f\" is not formatted.", W},
    {per_file, "php-cs-fixer", "%b%n) %f (%r%z", W},
    {per_file, "php-cs-fixer", "%b%n) %f", W},
    {per_file, "swiftformat", "%f would have been formatted%z", W},
    {per_file, "scalafmt", "%f is not formatted%z", W},
    {per_file, "scalafmt", "[warn] %f.scala isn't formatted properly!", W},
    {per_file, "mix-format", "%b* %f.ex", W},
    {per_file, "mix-format", "%b* %f.exs", W},
    {per_file, "buildifier", "%f # reformat%z", W},
    {per_file, "ormolu", "%f.hs is not formatted%z", W},
    {per_file, "gersemi", "%f would be reformatted", W},
    {per_file, "djhtml", "reindented %f", W},
    {per_file, "clang-format", "%f: Code style does not match%z", W},
    {per_file, "prettier", "[warn] %f", W},
    // A code frame repeats the tag: "[error] > 1 | …", "[error]   | ^".
    {finding, "prettier", "[error] %f: %m (%l:%c)", E},
    {finding, "prettier", "[error] %f: %m", E},
    {known, "prettier", "[error]%z"},
};

}  // namespace

std::span<const LintRow> lint_formatter_rows() { return kFormatters; }

}  // namespace hydra::parsers
