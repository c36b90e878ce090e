// Lists every attempt of a race that has a log: runs of agents, set-ups, checks and their reruns.
#include "base/entries.hpp"
#include "base/strings.hpp"
#include "exec/attempt.hpp"
#include "race/impl.hpp"
#include "race/views/view_parts.hpp"

#include <algorithm>
#include <sys/stat.h>

namespace hydra::race {
namespace {

std::int64_t changed_at_ms(const fs::path& file) {
  struct stat st {};
  if (::lstat(file.c_str(), &st) != 0) return 0;
  return static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1000 + st.st_mtim.tv_nsec / 1'000'000;
}

std::optional<std::int64_t> known_ms(std::int64_t at) { return at == 0 ? std::nullopt : std::optional(at); }

void add_facts(const fs::path& directory, wire::Attempt& attempt) {
  attempt.started_ms = known_ms(changed_at_ms(directory / "started.json"));
  attempt.ended_ms = known_ms(changed_at_ms(directory / "result.json"));
  if (const auto code = exec::exit_code_in(directory)) attempt.exit_code = *code;
  std::error_code ec;
  for (const char* log : {"stdout.log", "stderr.log"})
    if (const auto size = fs::file_size(directory / log, ec); !ec) attempt.bytes += size;
}

std::vector<wire::Attempt> attempt_rows(const Layout& layout) {
  std::vector<wire::Attempt> rows;
  std::error_code ec;
  for (const auto& subject : entries_of(layout.root() / "attempts", ec)) {
    std::error_code inner;
    for (const auto& entry : entries_of(subject.path(), inner)) {
      const auto name = entry.path().filename().string();
      const auto dash = name.rfind('-');
      const auto number = dash == std::string::npos ? std::nullopt : parse_int(name.substr(dash + 1));
      if (!number) continue;
      wire::Attempt row;
      row.subject = model::subject_of_directory(subject.path().filename().string());
      row.kind = name.substr(0, dash);
      row.number = *number;
      row.attempt = layout.key(row.subject, row.kind, static_cast<int>(row.number));
      row.purpose = row.kind == "agent" ? "the agent's run" : detail::purpose_of(row.subject);
      add_facts(entry.path(), row);
      rows.push_back(std::move(row));
    }
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.subject, a.kind, a.number) < std::tie(b.subject, b.kind, b.number);
  });
  return rows;
}

}  // namespace

Result<wire::Attempts> Service::attempts(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  return wire::Attempts{attempt_rows(race->layout)};
}

}  // namespace hydra::race
