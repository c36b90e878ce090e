// parsers, inside: test reports that are one JSON document.
#pragma once

#include "parsers/reports.hpp"

#include <string_view>

namespace hydra::parsers {

/// `text` is exactly one JSON value. False: no test report.
bool read_test_json(std::string_view text, model::TestReport& report);

}  // namespace hydra::parsers
