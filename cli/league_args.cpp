#include "cli/league_args.hpp"

#include "base/strings.hpp"
#include "cli/project.hpp"
#include "cli/race_ref.hpp"
#include "client/client.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace hydra::cli {
namespace {

/// Parses "2026-02-23" to the Unix milliseconds of its start, UTC.
std::optional<std::int64_t> parse_date(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts.size() != 3 || parts[0].size() != 4 || parts[1].size() != 2 || parts[2].size() != 2)
    return std::nullopt;
  const auto year = parse_int(parts[0]), month = parse_int(parts[1]), day = parse_int(parts[2]);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::sys_days(date).time_since_epoch())
      .count();
}

Result<std::int64_t> since_ms(const std::string& text, std::int64_t now_ms) {
  if (const auto date = parse_date(text)) return *date;
  if (text.ends_with('d'))
    if (const auto days = parse_int(std::string_view(text).substr(0, text.size() - 1));
        days && *days < 100'000)
      return now_ms - *days * 86'400'000;
  const auto seconds = parse_duration(text);
  if (!seconds)
    return Error{Errc::usage, "'" + sanitize(text) + "' is no time", "--since", "7d, 12h or 2026-02-23"};
  return now_ms - static_cast<std::int64_t>(*seconds * 1000);
}

}  // namespace

void add_filter(Options& options, LeagueFilter& filter) {
  options.value("--repository", filter.repository, "DIR", "only races of this repository");
  options.value("--since", filter.since, "TIME", "only races that ended since: 7d, 12h, 2026-02-23");
  options.value("--kind", filter.kind, "KIND", "only tasks of this kind: bugfix, feature, docs, …");
  options.value("--suite", filter.suite, "NAME", "only races of this suite");
  options.repeated("--label", filter.labels, "KEY=VALUE", "only races with this label; may be repeated");
}

Result<std::string> filter_query(const LeagueFilter& filter, std::int64_t now_ms) {
  std::string query;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      query += (query.empty() ? "" : "&") + std::string(name) + "=" + client::url_encode(value);
  };
  add("race", filter.race);
  if (!filter.repository.empty()) {
    std::error_code ec;
    const auto place = std::filesystem::canonical(filter.repository, ec);
    // A repository that no longer exists may still have a history.
    const auto root =
        ec ? std::filesystem::absolute(filter.repository) : find_repository(place).value_or(place);
    add("repository", root.string());
  }
  if (!filter.since.empty()) {
    HYDRA_TRY(const auto since, since_ms(filter.since, now_ms));
    add("since_ms", std::to_string(std::max<std::int64_t>(since, 0)));
  }
  add("kind", filter.kind);
  add("suite", filter.suite);
  for (const auto& label : filter.labels)
    if (label.find('=') == std::string::npos || label.front() == '=')
      return Error{Errc::usage, "'" + sanitize(label) + "' is no KEY=VALUE", "--label", {}};
  add("label", join(filter.labels, "\n"));
  return query;
}

}  // namespace hydra::cli
