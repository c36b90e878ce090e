// parsers, inside: one parsed JSON document of a linter. Only the .cpp files of this room know the JSON
// library.
#pragma once

#include "parsers/lint_reading.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hydra::parsers {

/// Adds the findings of a report in one of the known shapes, or in a shape like them; false: no report.
/// `line`: where the document begins, from 0.
bool read_json_report(const nlohmann::json& document, std::size_t line, LintReading& out);
bool read_sarif(const nlohmann::json& document, std::size_t line, LintReading& out);
/// cargo's and rustc's messages: one object a line.
bool read_cargo_message(const nlohmann::json& document, std::size_t line, LintReading& out);

/// Reads the XML document at the begin of `text`; bytes taken, 0: no report of findings.
std::size_t read_xml_report(std::string_view text, std::size_t line, LintReading& out);

}  // namespace hydra::parsers
