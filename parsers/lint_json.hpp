// parsers, inside: parsed documents of linters (JSON, SARIF, XML). Only the .cpp files of this room know the
// JSON library.
#pragma once

#include "parsers/lint_reading.hpp"

#include <nlohmann/json_fwd.hpp>

namespace hydra::parsers {

/// Adds the findings of a report in a known or similar shape; false: no report. `line`: first line of the
/// document, from 0.
bool read_json_report(const nlohmann::json& document, std::size_t line, LintReading& out);
bool read_sarif(const nlohmann::json& document, std::size_t line, LintReading& out);
/// Reads a message of cargo or rustc: one object per line.
bool read_cargo_message(const nlohmann::json& document, std::size_t line, LintReading& out);

/// Reads the XML document at the begin of `text`. Returns the bytes consumed; 0: no report of findings.
std::size_t read_xml_report(std::string_view text, std::size_t line, LintReading& out);

}  // namespace hydra::parsers
