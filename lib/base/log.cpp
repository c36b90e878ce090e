#include "base/log.hpp"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <sys/stat.h>
#include <vector>

namespace hydra::log {
namespace {
spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warn:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}
}  // namespace

void init(std::string_view program, const std::filesystem::path& file, Level level) {
  std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::stderr_sink_mt>()};
  if (!file.empty()) {
    spdlog::file_event_handlers handlers;
    handlers.after_open = [](const spdlog::filename_t&, std::FILE* opened) {
      (void)::fchmod(::fileno(opened), 0600);
    };
    sinks.push_back(
        std::make_shared<spdlog::sinks::rotating_file_sink_mt>(file.string(), 10u << 20, 3, false, handlers));
  }
  auto logger = std::make_shared<spdlog::logger>(std::string(program), sinks.begin(), sinks.end());
  logger->set_level(to_spdlog(level));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %n %l %v");
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

void write(Level level, std::string_view text) { spdlog::log(to_spdlog(level), "{}", text); }

}  // namespace hydra::log
