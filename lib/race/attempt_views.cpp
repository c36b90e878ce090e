// Every attempt of a race that has a log: runs of agents, set-ups, checks and their repetitions.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "race/impl.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <sys/stat.h>

namespace hydra::race {
namespace {

using nlohmann::json;

struct AttemptRow {
  std::string subject, kind;
  std::int64_t number = 0;
  json facts;
};

std::int64_t changed_at_ms(const fs::path& file) {
  struct stat st {};
  if (::lstat(file.c_str(), &st) != 0) return 0;
  return static_cast<std::int64_t>(st.st_mtim.tv_sec) * 1000 + st.st_mtim.tv_nsec / 1'000'000;
}

json ms_or_null(std::int64_t at) { return at == 0 ? json(nullptr) : json(at); }

std::string purpose_of(const std::string& subject) {
  if (is_own(subject)) return "with its own tests";
  if (is_cold(subject)) return "from nothing";
  if (is_files(subject)) return "file by file";
  if (subject.starts_with(model::kJudgeMark)) return "a judge";
  return subject == model::kBaseline ? "baseline" : "as captured";
}

json attempt_facts(const fs::path& directory) {
  const auto result = json::parse(read_file(directory / "result.json", 1 << 20).value_or(""), nullptr, false);
  json facts{{"exit_code", nullptr},
             {"started_ms", ms_or_null(changed_at_ms(directory / "started.json"))},
             {"ended_ms", ms_or_null(changed_at_ms(directory / "result.json"))}};
  if (result.is_object() && result.value("end", "") == "exited" && result.contains("code"))
    facts["exit_code"] = result["code"];
  std::error_code ec;
  std::uint64_t bytes = 0;
  for (const char* log : {"stdout.log", "stderr.log"})
    if (const auto size = fs::file_size(directory / log, ec); !ec) bytes += size;
  facts["bytes"] = bytes;
  return facts;
}

std::vector<AttemptRow> attempt_rows(const fs::path& attempts) {
  std::vector<AttemptRow> rows;
  std::error_code ec;
  for (const auto& subject : fs::directory_iterator(attempts, ec)) {
    std::error_code inner;
    for (const auto& entry : fs::directory_iterator(subject.path(), inner)) {
      const auto name = entry.path().filename().string();
      const auto dash = name.rfind('-');
      const auto number = dash == std::string::npos ? std::nullopt : parse_int(name.substr(dash + 1));
      if (!number) continue;
      auto who = subject.path().filename().string();
      if (who == "baseline") who = model::kBaseline;
      rows.push_back({who, name.substr(0, dash), *number, attempt_facts(entry.path())});
    }
  }
  std::sort(rows.begin(), rows.end(), [](const AttemptRow& a, const AttemptRow& b) {
    return std::tie(a.subject, a.kind, a.number) < std::tie(b.subject, b.kind, b.number);
  });
  return rows;
}

}  // namespace

Result<std::string> Service::attempts_json(const std::string& id) {
  HYDRA_TRY(const auto race, impl_->load(id));
  json j{{"attempts", json::array()}};
  for (auto& row : attempt_rows(race->layout.root() / "attempts")) {
    json line{{"attempt", race->layout.key(row.subject, row.kind, static_cast<int>(row.number))},
              {"number", row.number},
              {"subject", row.subject},
              {"kind", row.kind},
              {"purpose", row.kind == "agent" ? "the agent's run" : purpose_of(row.subject)}};
    line.update(row.facts);
    j["attempts"].push_back(std::move(line));
  }
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace hydra::race
