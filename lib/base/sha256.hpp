// base: SHA-256 (FIPS 180-4), to compare foreign bytes with earlier ones. Not for secrets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hydra {

/// Hashes bytes chunk by chunk.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Returns 64 hexadecimal digits; the object must not be used afterwards.
  std::string hex();

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                      0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<unsigned char, 64> rest_{};
  std::size_t held_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string sha256_hex(std::string_view bytes);

}  // namespace hydra
