// wire, inside only: members of model structs that answers contain unchanged.
#pragma once

#include "model/agent_run.hpp"
#include "model/check.hpp"
#include "model/integrity.hpp"
#include "model/selection.hpp"
#include "wire/members.hpp"

namespace hydra::wire::detail {

HYDRA_WIRE(model::DiffStat, lines_added, lines_removed, files_changed);
HYDRA_WIRE(model::Usage, input, output, cache_read, cache_write);
HYDRA_WIRE(model::LeftOut, path, bytes, reason);
HYDRA_WIRE(model::Advice, signature, text, environment);
HYDRA_WIRE(model::TestCounts, passed, failed, skipped, errors, total);
HYDRA_WIRE(model::LineRange, format, first, last);
HYDRA_WIRE(model::RestoredPath, path, how, reason);
HYDRA_WIRE(model::TamperFinding, rule, severity, path, line, reason, text);
HYDRA_WIRE(model::ContestedTest, name, broken_by, of);
HYDRA_WIRE(model::Weights, build, tests, lint, diff_size, speed, judges);
HYDRA_WIRE(model::ConfidenceFacts, passed_authors, failed_authors, tests_passed, tests_failed, own_tests,
           brought, fixed, failing, left_failing, broken, broken_alone, out_of_contact, rivals, hidden_passed,
           hidden_failed, alike, results);
HYDRA_LIST(model::WorkspaceFacts) {
  HYDRA_MEMBERS(tree, warm, reasons, left_out);
  io("setup_again", v.setup);
}

}  // namespace hydra::wire::detail
