#include "base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hydra {
namespace {

constexpr std::array<std::uint32_t, 64> kRounds{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U, 0xab1c5ed5U,
    0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU, 0x9bdc06a7U, 0xc19bf174U,
    0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU, 0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU,
    0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U, 0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U,
    0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU, 0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U,
    0xa2bfe8a1U, 0xa81a664bU, 0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U,
    0x19a4c116U, 0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U, 0xc67178f2U};

}  // namespace

void Sha256::block(const unsigned char* bytes) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    w.at(i) = (std::uint32_t{bytes[4 * i]} << 24U) | (std::uint32_t{bytes[4 * i + 1]} << 16U) |
              (std::uint32_t{bytes[4 * i + 2]} << 8U) | std::uint32_t{bytes[4 * i + 3]};
  for (std::size_t i = 16; i < 64; ++i) {
    const auto a = w.at(i - 15), b = w.at(i - 2);
    w.at(i) = w.at(i - 16) + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3U)) + w.at(i - 7) +
              (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10U));
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                    kRounds.at(i) + w.at(i);
    const auto t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state_.size(); ++i) state_.at(i) += more.at(i);
}

void Sha256::add(std::string_view bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const auto take = std::min(bytes.size(), rest_.size() - held_);
    std::memcpy(rest_.data() + held_, bytes.data(), take);
    held_ += take;
    bytes.remove_prefix(take);
    if (held_ < rest_.size()) return;
    block(rest_.data());
    held_ = 0;
  }
}

std::string Sha256::hex() {
  const auto bits = bytes_ * 8;
  std::string tail(1, '\x80');
  tail.append((119 - held_) % 64, '\0');
  for (unsigned shift = 64; shift > 0; shift -= 8) tail += static_cast<char>((bits >> (shift - 8)) & 0xffU);
  add(tail);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const auto word : state_)
    for (unsigned shift = 32; shift > 0; shift -= 4) out += kDigits[(word >> (shift - 4)) & 0xfU];
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace hydra
