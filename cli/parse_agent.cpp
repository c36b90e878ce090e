#include "cli/parse_agent.hpp"

#include "adapters/adapters.hpp"
#include "base/strings.hpp"
#include "cli/app.hpp"
#include "cli/json_fields.hpp"

#include <fmt/format.h>

#include <fstream>
#include <istream>
#include <ostream>

namespace hydra::cli {
namespace {

using How = adapters::RunEnd::How;

constexpr std::size_t kPiece = 1u << 18;
constexpr std::streamoff kTail = 64 << 10;
constexpr std::uintmax_t kMostUsageFile = 64u << 20;

/// Returns the file's last bytes; nullopt if unreadable.
std::optional<std::string> tail_of(const std::filesystem::path& path, std::streamoff most) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) return std::nullopt;  // ifstream opens directories
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  // Pipes and devices have no size.
  if (size < 0) file.clear();
  if (size > most)
    file.seekg(size - most);
  else if (size >= 0)
    file.seekg(0);
  std::string text(static_cast<std::size_t>(most), '\0');
  file.read(text.data(), most);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

adapters::RunEnd run_end(const ParseAgentOptions& o, std::string stderr_tail, std::uint64_t bytes) {
  adapters::RunEnd end;
  end.how = How::exited;
  end.code = o.exit_code;
  if (o.exit_code < 0) {
    end.how = How::signaled;
    end.signal = -o.exit_code;
    end.code = 0;
  }
  if (o.signal > 0) {
    end.how = How::signaled;
    end.signal = o.signal;
  }
  if (o.over_budget) end.how = How::over_budget;
  if (o.cancelled) end.how = How::cancelled;
  if (o.timed_out) end.how = How::timed_out;
  end.wall_ms = o.seconds ? static_cast<std::int64_t>(*o.seconds * 1000) : -1;
  end.stderr_tail = std::move(stderr_tail);
  end.stdout_bytes = bytes;
  return end;
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(to_utf8(text));
}

OrderedJson as_json(const model::Verdict& v) {
  const auto& u = v.usage;
  OrderedJson out;
  out["outcome"] = model::name(v.outcome);
  out["class"] = text_or_null(std::string(model::name(v.error_class)));
  out["message"] = to_utf8(v.message);
  out["advice"] = text_or_null(v.advice);
  out["session"] = text_or_null(v.session);
  out["model"] = text_or_null(v.model);
  out["turns"] = or_null(v.turns);
  out["usage"] = {{"input", or_null(u.input)},
                  {"output", or_null(u.output)},
                  {"cache_read", or_null(u.cache_read)},
                  {"cache_write", or_null(u.cache_write)},
                  {"reasoning", or_null(u.reasoning)}};
  out["cost_usd"] = or_null(u.cost_usd);
  out["cost_source"] = !u.cost_usd ? OrderedJson(nullptr) : OrderedJson(u.estimated ? "estimated" : "stream");
  return out;
}

Error unreadable(const std::filesystem::path& file, std::string hint) {
  return {Errc::usage, fmt::format("can't read '{}'", file.string()), {}, std::move(hint)};
}

}  // namespace

Result<int> parse_agent(const ParseAgentOptions& options, std::istream& in, std::ostream& out) {
  const auto& agents = options.agents.empty() ? adapters::builtin() : options.agents;
  const auto* descriptor = adapters::find_agent(agents, options.format);
  if (descriptor == nullptr) {
    std::vector<std::string> known;
    for (const auto& [id, d] : agents) known.push_back(id);
    const auto near = nearest(options.format, known);
    return Error{Errc::usage,
                 fmt::format("unknown format '{}' of agents", sanitize(options.format)),
                 {},
                 near ? fmt::format("did you mean '{}'?", *near) : "known: " + join(known, ", ")};
  }
  adapters::ReaderOptions reading;
  reading.model = options.model;
  reading.prices = adapters::builtin_prices();
  for (const auto& [model, price] : options.prices) reading.prices[model] = price;
  if (options.base) reading.resume_base = *options.base;
  adapters::StreamReader reader(*descriptor, std::move(reading));

  std::string stderr_tail;
  if (!options.stderr_file.empty()) {
    auto text = tail_of(options.stderr_file, kTail);
    if (!text) return unreadable(options.stderr_file, "see --stderr");
    stderr_tail = std::move(*text);
  }
  std::uint64_t bytes = 0;
  std::string piece(kPiece, '\0');
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0) {
    const auto n = static_cast<std::size_t>(in.gcount());
    reader.feed(std::string_view(piece).substr(0, n));
    bytes += n;
  }
  if (!options.usage_file.empty()) {
    const auto text = tail_of(options.usage_file, static_cast<std::streamoff>(kMostUsageFile));
    if (!text) return unreadable(options.usage_file, "see --usage-file");
    reader.usage_file(*text);
  }
  reader.finish();

  const auto summary = reader.summary();
  const bool denied = summary.denied || adapters::stderr_denied(*descriptor, stderr_tail);
  auto verdict = adapters::judge(*descriptor, summary, run_end(options, std::move(stderr_tail), bytes));
  // Without a diff: if every action was refused, the run cannot have changed anything.
  const bool changed = options.changed.value_or(!adapters::all_denied(summary));
  verdict = adapters::finish_verdict(std::move(verdict), denied, changed);
  if (verdict.model.empty()) verdict.model = options.model;
  out << as_json(verdict).dump(2, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
  return out ? kDone : kFailed;
}

}  // namespace hydra::cli
