#include "base/result.hpp"

#include <array>
#include <cerrno>
#include <cstring>

namespace hydra {
namespace {
constexpr std::array<std::pair<Errc, std::string_view>, 12> kNames{{
    {Errc::usage, "usage"},
    {Errc::config, "config"},
    {Errc::not_found, "not_found"},
    {Errc::conflict, "conflict"},
    {Errc::refused, "refused"},
    {Errc::environment, "environment"},
    {Errc::git, "git"},
    {Errc::io, "io"},
    {Errc::timeout, "timeout"},
    {Errc::protocol, "protocol"},
    {Errc::unsupported, "unsupported"},
    {Errc::internal, "internal"},
}};
}  // namespace

std::string_view errc_name(Errc code) {
  for (const auto& [value, name] : kNames)
    if (value == code) return name;
  return "internal";
}

Errc errc_from_name(std::string_view name) {
  for (const auto& [value, text] : kNames)
    if (text == name) return value;
  return Errc::internal;
}

std::string describe(const Error& error) {
  std::string text;
  if (!error.where.empty()) text += error.where + ": ";
  text += error.message;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

Error system_error(std::string_view what, int errnum) {
  // strerror's buffer is shared between threads; strerrordesc_np returns constant text.
  const char* text = ::strerrordesc_np(errnum);
  return {Errc::io, std::string(what) + ": " + (text ? text : "unknown error"), {}, {}, errnum};
}

int passing_errno(std::string_view words) {
  for (const int number : {ENOSPC, EDQUOT, EIO, EAGAIN, ENOMEM, EMFILE})
    if (words.find(::strerrordesc_np(number)) != std::string_view::npos) return number;
  return 0;
}

}  // namespace hydra
