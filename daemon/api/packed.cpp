#include "daemon/api/packed.hpp"

#include "base/strings.hpp"

#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/crc.hpp>

#include <cstdint>

namespace hydra::api {
namespace {

std::string little_endian(std::uint32_t value) {
  std::string out(4, '\0');
  for (auto& byte : out) {
    byte = static_cast<char>(value & 0xff);
    value >>= 8;
  }
  return out;
}

}  // namespace

std::string deflated(std::string_view text) {
  namespace zlib = boost::beast::zlib;
  zlib::deflate_stream stream;
  std::string out(stream.upper_bound(text.size()) + 64, '\0');
  zlib::z_params p;
  p.next_in = text.data();
  p.avail_in = text.size();
  p.next_out = out.data();
  p.avail_out = out.size();
  boost::beast::error_code ec;
  stream.write(p, zlib::Flush::finish, ec);
  out.resize(out.size() - p.avail_out);
  return out;
}

std::string gzipped(std::string_view text) {
  // Header: method deflate, no flags, no time, unknown operating system.
  std::string out("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  boost::crc_32_type sum;
  sum.process_bytes(text.data(), text.size());
  return out + deflated(text) + little_endian(sum.checksum()) +
         little_endian(static_cast<std::uint32_t>(text.size()));
}

bool takes_gzip(std::string_view accepted) {
  for (const auto each : split(accepted, ',')) {
    const auto parts = split(each, ';');
    const auto refused = parts.size() > 1 && (trim(parts[1]) == "q=0" || trim(parts[1]) == "q=0.0");
    if (!refused && (trim(parts[0]) == "gzip" || trim(parts[0]) == "*")) return true;
  }
  return false;
}

}  // namespace hydra::api
