// GET /v1/races/{race}/report: the page of `hydra report` with an embedded race. The output contains no
// current time, so that the same race gives the same bytes.
#include "base/strings.hpp"
#include "daemon/api/packed.hpp"
#include "daemon/api/routes.hpp"
#include "wire/json_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <memory>
#include <scoreboard_assets.hpp>

namespace hydra::api {
namespace {

using nlohmann::json;

constexpr std::int64_t kTailLines = 2000, kTailBytes = 1 << 20;
constexpr std::int64_t kMostBytes = 20 << 20;  ///< limit for patches and logs together

struct ReportCall {
  std::string logs = "failed";  ///< "all", "tail", "failed", "none"
  bool diffs = true, anonymous = false;
  std::int64_t most = kMostBytes;
};

Result<ReportCall> report_call(const Request& request) {
  ReportCall call;
  if (const auto logs = request.param("logs"); !logs.empty()) call.logs = logs;
  if (call.logs != "all" && call.logs != "tail" && call.logs != "failed" && call.logs != "none")
    return Error{Errc::usage, "no such choice: " + sanitize(call.logs), "logs", "all, tail, failed or none"};
  call.diffs = request.param("diffs") != "0";
  call.anonymous = request.param("anonymous") == "1";
  if (const auto most = request.param("max"); !most.empty()) {
    const auto bytes = parse_int(most);
    if (!bytes) return Error{Errc::usage, "max is no number of bytes", {}, {}};
    call.most = *bytes;
  }
  return call;
}

std::string report_dump(const json& j) { return j.dump(-1, ' ', false, json::error_handler_t::replace); }

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

std::string last_lines(std::string text, std::int64_t most, bool& cut) {
  std::int64_t lines = 0;
  for (std::size_t at = text.size(); at > 0; --at)
    if (text[at - 1] == '\n' && at != text.size() && ++lines == most) {
      cut = true;
      return text.substr(at);
    }
  return text;
}

/// Returns "a" to "z", then "aa" and so on.
std::string letters(std::size_t number) {
  std::string text(1, static_cast<char>('a' + number % 26));
  return number < 26 ? text : letters(number / 26 - 1) + text;
}

bool part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

/// Replaces names of agents by "agent-a", "agent-b": whole texts, parts of names with slashes, and words of
/// sentences. Names that several agents share (a program, a model) become "an agent".
class Masks {
 public:
  explicit Masks(json& results) {
    std::size_t number = 0;
    for (auto& agent : results["agents"]) {
      const auto mask = "agent-" + letters(number++);
      for (const char* member : {"agent", "entry", "display", "branch", "model"}) {
        const auto name = agent.value(member, "");
        if (name.empty()) continue;
        const auto [known, fresh] = names_.emplace(name, mask);
        if (!fresh && known->second != mask) known->second = "an agent";
        if (std::string_view(member) == "display") agent[member] = mask;
      }
    }
  }
  void apply(json& value) const {
    if (value.is_string()) value = masked(value.get<std::string>());
    if (value.is_array())
      for (auto& each : value) apply(each);
    if (!value.is_object()) return;
    apply_to_names(value);
    for (auto& each : value) apply(each);
  }
  /// Replaces member names only: the values are users' files.
  void apply_to_names(json& value) const {
    json made = json::object();
    for (auto& [name, each] : value.items()) made[part_masked(name)] = std::move(each);
    value = std::move(made);
  }

 private:
  [[nodiscard]] std::string part_masked(const std::string& text) const {
    if (const auto found = names_.find(text); found != names_.end()) return found->second;
    if (text.size() > 200 || text.find_first_of("/@") == std::string::npos) return text;
    std::string out;
    for (const auto part : split(text, '/')) {
      const auto end = std::min(part.find('@', 1), part.size());
      const auto found = names_.find(std::string(part.substr(0, end)));
      out += (out.empty() ? "" : "/") +
             (found == names_.end() ? std::string(part) : found->second + std::string(part.substr(end)));
    }
    return out;
  }
  [[nodiscard]] std::string masked(const std::string& text) const {
    constexpr std::size_t kShortest = 3;  // a shorter name may be any word
    auto out = part_masked(text);
    // Long names first, since one may contain another.
    std::vector<std::pair<std::string_view, std::string_view>> by_length(names_.begin(), names_.end());
    std::stable_sort(by_length.begin(), by_length.end(),
                     [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    for (const auto& [name, mask] : by_length) {
      if (name.size() < kShortest) continue;
      for (auto at = out.find(name); at != std::string::npos; at = out.find(name, at)) {
        const auto end = at + name.size();
        const bool word =
            (at == 0 || !part_of_word(out[at - 1])) && (end == out.size() || !part_of_word(out[end]));
        if (word) out.replace(at, name.size(), mask);
        at += word ? mask.size() : 1;
      }
    }
    return out;
  }
  std::map<std::string, std::string> names_;
};

/// Collects the parts one after the other, then compresses them on the pool.
class RaceReport : public std::enable_shared_from_this<RaceReport> {
 public:
  RaceReport(race::Service& service, std::string race, ReportCall call, Reply reply)
      : service_(service), race_(std::move(race)), call_(std::move(call)), reply_(std::move(reply)) {}

  void start() {
    if (ui::kReportTemplate.empty())
      return fail({Errc::refused,
                   "this hydrad was built without the scoreboard",
                   {},
                   "install esbuild (Debian: apt-get install esbuild) and build again"});
    if (auto begun = begin(); !begun.ok()) return fail(begun.error());
    race::TestsQuery query;
    query.limit = 10'000;
    service_.tests(race_, query, [self = shared_from_this()](const Result<wire::TestTable>& tests) {
      if (!tests.ok()) return self->fail(tests.error());
      self->data_["tests"] = wire::json_value(*tests);
      self->next_explanation();
    });
  }

 private:
  void fail(const Error& error) { reply_.respond(error_response(error)); }

  Result<void> begin() {
    HYDRA_TRY(const auto results, service_.results(race_));
    data_ = {{"schema", 1},
             {"results", wire::json_value(results)},
             {"explain", json::object()},
             {"diffs", json::object()},
             {"logs", json::object()},
             {"left_out", json::array()}};
    for (const auto& agent : data_["results"]["agents"]) {
      explained_.push_back(agent.value("agent", ""));
      if (call_.diffs && !agent.value("commit", "").empty()) diffs_.push_back(explained_.back());
    }
    return {};
  }

  // An explanation compares all tests of a result with the base's, so each turn of the loop makes only one of
  // them.
  void next_explanation() {
    if (explained_.empty()) return next_diff();
    const auto name = explained_.front();
    explained_.pop_front();
    const auto explain = service_.explain(race_, name);
    if (!explain.ok()) return fail(explain.error());
    data_["explain"][name] = wire::json_value(*explain);
    service_.background([] {}, [self = shared_from_this()] { self->next_explanation(); });
  }

  void next_diff() {
    if (diffs_.empty()) return add_logs();
    const auto name = diffs_.front();
    diffs_.erase(diffs_.begin());
    service_.diff(race_, name, {}, [self = shared_from_this(), name](const Result<race::Patch>& patch) {
      if (!patch.ok())
        self->leave_out("diff of " + name, patch.error().message);
      else if (self->fits("diff of " + name, patch->text.size()))
        self->data_["diffs"][name] = patch->text;
      self->next_diff();
    });
  }

  bool fits(const std::string& what, std::size_t bytes) {
    taken_ += static_cast<std::int64_t>(bytes);
    if (taken_ <= call_.most) return true;
    taken_ -= static_cast<std::int64_t>(bytes);
    leave_out(what, std::to_string(bytes) + " bytes, more than this report may hold");
    return false;
  }
  void leave_out(const std::string& what, const std::string& why) {
    data_["left_out"].push_back(what + ": " + why);
  }

  void add_logs() {
    const auto attempts = service_.attempts(race_);
    if (!attempts.ok()) return fail(attempts.error());
    data_["runs"] = wire::json_value(*attempts)["attempts"];
    if (call_.logs == "none") return pack();
    std::map<std::string, wire::Attempt> newest;  // newest attempt of each kind; rows come by number
    for (const auto& row : attempts->attempts) newest[text(row.subject) + "/" + row.kind] = row;
    for (const auto& [place, row] : newest) {
      const bool failed = row.exit_code.value_or(0) != 0;
      // A transcript names its agent in every line.
      if ((call_.logs == "failed" && !failed) || (call_.anonymous && row.kind == "agent")) continue;
      for (const bool err : {false, true}) {
        Log log{place + (err ? "/err" : "/out"), {}, {}, false};
        log.query.subject = row.subject;
        log.query.kind = row.kind;
        log.query.attempt = row.attempt;
        log.query.err = err;
        if (call_.logs != "all") log.query.tail = kTailBytes;
        logs_.push_back(std::move(log));
      }
    }
    next_log();
  }

  void next_log() {
    if (logs_.empty()) return pack();
    service_.log(race_, logs_.front().query,
                 [self = shared_from_this()](const Result<race::LogSlice>& slice) {
                   if (!slice.ok() || !self->logs_.front().add(*slice)) self->keep_log();
                   self->next_log();
                 });
  }

  void keep_log() {
    auto log = std::move(logs_.front());
    logs_.pop_front();
    if (call_.logs != "all") log.text = last_lines(std::move(log.text), kTailLines, log.cut);
    if (log.text.empty() || !fits("log " + log.place, log.text.size())) return;
    data_["logs"][log.place] = {
        {"text", to_utf8(log.text)}, {"cut", log.cut}, {"attempt", log.query.attempt}};
  }

  void pack() {
    const std::string root = data_["results"]["repository"];
    if (call_.anonymous) mask();
    auto text = service_.redacted(race_, report_dump(data_));
    const auto packed = std::make_shared<std::string>();
    service_.background(
        [packed, text = std::move(text), root] {
          // Replace paths as escaped in JSON, since paths of this machine identify its user.
          const auto plain = [](const std::string& path) {
            const auto quoted = report_dump(json(path));
            return quoted.substr(1, quoted.size() - 2);
          };
          auto shown = root.size() > 1 ? replace_all(text, plain(root), ".") : text;
          if (const char* home = std::getenv("HOME"); home != nullptr && std::string_view(home).size() > 1)
            shown = replace_all(std::move(shown), plain(home), "~");
          *packed = replace_all(std::string(ui::kReportTemplate), ui::kReportMarker, base64(deflated(shown)));
        },
        [packed, reply = reply_, race = race_] {
          Response response;
          response.content_type = "text/html; charset=utf-8";
          response.body = std::move(*packed);
          response.headers = {{"Content-Disposition", "attachment; filename=\"hydra-" + race + ".html\""}};
          reply.respond(std::move(response));
        });
  }

  void mask() {
    auto& results = data_["results"];
    const Masks masks(results);
    results["task"] = "";
    results["repository"] = "";
    results["notes"] = json::array();  // sentences that name agents
    if (const auto parts = data_["left_out"].size(); parts > 0)
      data_["left_out"] = {std::to_string(parts) + " diffs and logs, more than this report may hold"};
    for (auto& agent : results["agents"]) {
      agent["final_text"] = "";
      agent["session"] = "";
    }
    for (auto& [part, value] : data_.items())
      if (part == "diffs" || part == "logs")
        masks.apply_to_names(value);
      else
        masks.apply(value);
  }

  /// A log that is read slice by slice.
  struct Log {
    std::string place;
    race::LogQuery query;
    std::string text;
    bool cut;

    /// Appends a slice; returns whether more follow.
    bool add(const race::LogSlice& slice) {
      cut = cut || slice.cut || (query.tail > 0 && slice.offset > 0);
      text += slice.bytes;
      query.tail = 0;
      if (slice.next_offset <= query.offset || slice.bytes.empty()) return false;
      query.offset = slice.next_offset;
      return true;
    }
  };

  race::Service& service_;
  std::string race_;
  ReportCall call_;
  Reply reply_;
  json data_;
  std::deque<std::string> explained_;  ///< results without an explanation so far
  std::vector<std::string> diffs_;
  std::deque<Log> logs_;
  std::int64_t taken_ = 0;
};

}  // namespace

void send_report(race::Service& service, const std::string& race, const Request& request,
                 const Reply& reply) {
  auto call = report_call(request);
  if (!call.ok()) return reply.respond(error_response(call.error()));
  std::make_shared<RaceReport>(service, race, std::move(*call), reply)->start();
}

}  // namespace hydra::api
