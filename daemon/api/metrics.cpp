#include "daemon/api/metrics.hpp"

#include "base/log.hpp"
#include "daemon/api/routes.hpp"
#include "telemetry/metrics_text.hpp"

#include <boost/asio/io_context.hpp>

#include <set>

namespace hydra::api {
namespace {

constexpr std::chrono::seconds kFresh{5};  // whoever asks more often reads the database no more often

Response metrics_page(std::string text) {
  return {200, "text/plain; version=0.0.4; charset=utf-8", std::move(text), {}};
}

// A page in a browser can reach this port under a name of its own, and must not read it.
bool names_this_machine(const Request& request, int port) {
  const auto end = ":" + std::to_string(port);
  const std::set<std::string> names{"127.0.0.1" + end, "localhost" + end};
  return request.count("host") == 1 && names.contains(request.header("host")) && request.count("origin") == 0;
}

/// The history is brought up to date first.
void metrics_text(race::Service& service, const MetricsSource& source, const storage::HistoryFilter& filter,
                  const std::function<void(Result<std::string>)>& done) {
  service.history(filter, 1, [&service, source, filter, done](const Result<wire::History>& known) {
    if (!known.ok()) return done(known.error());
    auto text = std::make_shared<Result<std::string>>(std::string());
    service.background(
        [text, source, filter, running = service.running_races()] {
          telemetry::MetricsText sums;
          const auto read =
              storage::read_history(source.database, filter, [&](const model::HistoryRace& race) {
                sums.add(race);
                return true;
              });
          *text = read.ok() ? Result<std::string>(sums.text(source.version, running)) : read.error();
        },
        [text, done] { done(*text); });
  });
}

}  // namespace

void send_metrics(race::Service& service, const MetricsSource& source, const Request& request,
                  const Reply& reply) {
  auto filter = history_filter(service, request);
  if (!filter.ok()) return reply.respond(error_response(filter.error()));
  metrics_text(service, source, *filter, [reply](Result<std::string> text) {
    reply.respond(text.ok() ? metrics_page(std::move(*text)) : error_response(text.error()));
  });
}

MetricsPort::MetricsPort(boost::asio::io_context& loop, race::Service& service, MetricsSource source)
    : loop_(loop), service_(service), source_(std::move(source)) {}

Result<void> MetricsPort::open(int port) {
  HYDRA_TRY(auto fd,
            bind_loopback(port, "another program has it; [telemetry] metrics_port names another one"));
  ServerOptions options;
  options.body_bytes = 0;
  options.patience = std::chrono::seconds(10);
  options.connections = 16;
  options.same_user = false;
  options.gate = [port](Request& request) -> std::optional<Response> {
    if (names_this_machine(request, port)) return std::nullopt;
    return refusal(421, "refused", "not for this host");
  };
  server_ = serve(
      loop_, fd.release(), [this](const Request& request, const Reply& reply) { answer(request, reply); },
      std::move(options));
  port_ = port;
  log::info("metrics are at http://127.0.0.1:{}/metrics", port);
  return {};
}

void MetricsPort::close() {
  if (server_) server_->close();
  port_ = 0;
}

void MetricsPort::answer(const Request& request, const Reply& reply) {
  if (request.path != "/metrics")
    return reply.respond(error_response({Errc::not_found, "only /metrics is here", {}, {}}));
  if (request.method != "GET") return reply.respond(refusal(405, "usage", "only GET"));
  const auto now = std::chrono::steady_clock::now();
  if (!text_.empty() && now - made_ < kFresh) return reply.respond(metrics_page(text_));
  metrics_text(service_, source_, {}, [this, reply, now](const Result<std::string>& text) {
    if (!text.ok()) return reply.respond(refusal(500, "internal", "the history can't be read now"));
    text_ = *text;
    made_ = now;
    reply.respond(metrics_page(*text));
  });
}

}  // namespace hydra::api
