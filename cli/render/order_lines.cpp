#include "cli/render/order_lines.hpp"

#include "base/strings.hpp"
#include "scoring/engine.hpp"

#include <algorithm>

namespace hydra::cli {
namespace {

using model::OrderBy;

std::string part_words(OrderBy by) {
  switch (by) {
    case OrderBy::build:
      return "better build";
    case OrderBy::tests:
      return "better tests";
    case OrderBy::lint:
      return "better lint";
    case OrderBy::diff_size:
      return "smaller change";
    case OrderBy::speed:
      return "faster";
    default:
      return "better judged";
  }
}

std::string because(const wire::OrderReason& reason, const std::string& below) {
  switch (reason.by) {
    case OrderBy::first:
      return {};
    case OrderBy::eligible:
      return below + " is not eligible";
    case OrderBy::hidden_tests:
      return below + " fails " + counted(reason.count, "hidden test");
    case OrderBy::undecided:
      return below + " waits for a decision";
    case OrderBy::fixed_tests:
      return "fixes " + counted(reason.count, "more failing test");
    case OrderBy::broken_tests:
      return "breaks " + counted(reason.count, "fewer test");
    case OrderBy::authors:
      return "passes the tests of " + counted(reason.count, "more author");
    case OrderBy::others_tests:
      return "fails " + counted(reason.count, "fewer test") + " of others";
    case OrderBy::evidence:
      return scoring::format_score(reason.points) + " more points of tests and evidence";
    case OrderBy::nothing_shown:
      return below + " has nothing to show";
    case OrderBy::own_tests:
      return "brings " + counted(reason.count, "more test") + " that fail" + (reason.count == 1 ? "s" : "") +
             " without the change";
    case OrderBy::same_code:
      return "the same code";
    case OrderBy::listed:
      return "asked for first";
    default:
      break;
  }
  const auto points = scoring::format_score(reason.points);
  return part_words(reason.by) + (points == "0.0" ? "" : ", " + points + " more points");
}

}  // namespace

std::string order_line(const wire::OrderReason& reason, const Style& style) {
  const auto below = style.safe(reason.below);
  auto head = style.safe(reason.above) + (reason.tied ? " tied with " : " above ") + below;
  if (reason.tied && reason.by != OrderBy::same_code) head += ", listed first";
  const auto why = because(reason, below);
  const bool fits = style.width == 0 || display_width(head) + 2 + display_width(why) <= style.width;
  return head + (fits ? ": " : ":\n  ") + why;
}

const wire::OrderReason* reason_of(const std::vector<wire::OrderReason>& reasons, const std::string& agent) {
  const auto below =
      std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.below == agent; });
  if (below != reasons.end()) return &*below;
  return !reasons.empty() && reasons.front().above == agent ? &reasons.front() : nullptr;
}

}  // namespace hydra::cli
