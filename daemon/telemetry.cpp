#include "daemon/telemetry.hpp"

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "config/telemetry.hpp"
#include "race/agents/secrets.hpp"
#include "race/notify.hpp"
#include "storage/read_events.hpp"
#include "telemetry/otlp.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>

namespace hydra {
namespace {

constexpr std::size_t kMostWaiting = 100;
constexpr std::chrono::seconds kOneRequest{10};

/// The user's own settings now; those of a section with mistakes are none.
model::TelemetryConfig own_settings(const Paths& paths) {
  const auto text = read_file(paths.user_config(), 4u << 20);
  if (!text) return {};
  const auto loaded = config::load_telemetry(paths.user_config().string(), *text);
  if (loaded.ok()) return *loaded;
  log::warn("telemetry is off: {}", describe(loaded.error()));
  return {};
}

struct Receiver {
  std::string url;  ///< without /v1/traces; empty: none is asked for
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Address and headers come from one place: what signs in at one receiver is no business of another.
Receiver receiver_of(const model::TelemetryConfig& settings, const race::KnownSecrets& environment) {
  Receiver receiver{settings.otlp_endpoint, {}};
  if (receiver.url == "environment") {
    receiver.url = environment.of_starter("OTEL_EXPORTER_OTLP_ENDPOINT").value_or("");
    receiver.headers =
        telemetry::otlp_headers(environment.of_starter("OTEL_EXPORTER_OTLP_HEADERS").value_or(""));
  }
  while (receiver.url.ends_with('/')) receiver.url.pop_back();
  return receiver;
}

/// False: nobody asked for it.
Result<bool> send(const Paths& paths, const std::string& version, const race::KnownSecrets& environment,
                  const std::string& race, const std::stop_token& stop) {
  const auto settings = own_settings(paths);
  const auto receiver = receiver_of(settings, environment);
  if (receiver.url.empty()) return false;
  HYDRA_TRY(const auto events, storage::read_events(paths.database(), race, telemetry::otlp_kinds()));
  const auto bodies = telemetry::otlp_of(events, {version, settings.otlp_task});
  race::NotifyContext context{{}, {}, "/"};
  context.env.emplace_back("PATH", process_env()("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  context.limit = kOneRequest;
  context.stop = stop;
  for (const auto& body : bodies.traces)
    HYDRA_CHECK(race::post_json(receiver.url + "/v1/traces", body, receiver.headers, context));
  for (const auto& body : bodies.metrics)
    HYDRA_CHECK(race::post_json(receiver.url + "/v1/metrics", body, receiver.headers, context));
  return !bodies.traces.empty();
}

}  // namespace

Telemetry::Telemetry(boost::asio::io_context& loop, race::Service& service, Paths paths, std::string version,
                     std::map<std::string, std::string> starter)
    : loop_(loop),
      service_(service),
      paths_(std::move(paths)),
      version_(std::move(version)),
      environment_(std::move(starter)),
      port_(loop, service, {paths_.database(), version_}) {
  if (const int port = own_settings(paths_).metrics_port; port != 0)
    if (const auto opened = port_.open(port); !opened.ok()) {
      facts_.problem = describe(opened.error());
      facts_.problem_ms = SystemClock().now();
      log::warn("no metrics: {}", facts_.problem);
    }
  const auto subscribed = service_.subscribe({}, 0, [this](const model::Event& event) {
    if (std::holds_alternative<model::RaceEnded>(event.body)) race_ended(event.race);
  });
  if (subscribed.ok()) subscription_ = *subscribed;
}

Telemetry::~Telemetry() { stop(); }

void Telemetry::stop() {
  if (subscription_ != 0) service_.unsubscribe(std::exchange(subscription_, 0));
  port_.close();
  stop_.request_stop();
  sender_.stop();
  sender_.join();
}

wire::TelemetryFacts Telemetry::facts() const {
  auto facts = facts_;
  facts.metrics_port = port_.port();
  return facts;
}

void Telemetry::race_ended(const std::string& race) {
  if (waiting_ >= kMostWaiting) {
    ++facts_.failed;
    return;
  }
  ++waiting_;
  boost::asio::post(sender_, [this, race, stop = stop_.get_token()] {
    const auto sent = send(paths_, version_, environment_, race, stop);
    if (!sent.ok()) log::warn("race {}: telemetry: {}", race, sent.error().message);
    boost::asio::post(loop_, [this, sent] {
      --waiting_;
      if (!sent.ok()) {
        ++facts_.failed;
        facts_.problem = sent.error().message;
        facts_.problem_ms = SystemClock().now();
      } else if (*sent) {
        ++facts_.sent;
      }
    });
  });
}

}  // namespace hydra
