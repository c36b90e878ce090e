// support: docs/openapi.json as a judge of answers. Members that it does not name are as wrong as those that
// lack.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace hydra::e2e {

/// The document, read once.
const nlohmann::json& openapi();

/// Returns the misfits of a value with a schema of the document, one line each; a keyword that nobody checks
/// is a line, too.
std::vector<std::string> misfits(const nlohmann::json& schema, const nlohmann::json& value,
                                 const std::string& where = "$");

/// misfits() of an answer of `method` (in lower case) at `path`, a path of the document or one that fits it.
std::vector<std::string> misfits_of_answer(const std::string& method, const std::string& path, int status,
                                           const std::string& type, const std::string& body);

/// Against a schema by its name ("Results"); joined with line ends, empty where all fits.
std::string misfits_of(const std::string& schema, const nlohmann::json& value);

}  // namespace hydra::e2e
