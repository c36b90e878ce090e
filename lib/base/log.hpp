// base: the log of a program. Only log.cpp includes spdlog.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

namespace hydra::log {

enum class Level { debug, info, warn, error };

/// Logs to standard error, and to `file` if not empty (rotated at 10 MiB, three kept). main calls init()
/// once.
void init(std::string_view program, const std::filesystem::path& file, Level level);
void write(Level level, std::string_view text);

template <class... Args>
void debug(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::debug, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warn, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace hydra::log
