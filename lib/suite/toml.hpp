// suite, inside only: TOML tables, without including the TOML library's headers.
#pragma once

#include "base/result.hpp"
#include "suite/suite.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::suite::detail {

/// A TOML table; a missing table is empty. A value of a wrong type counts as absent, except for `wrong()`.
class Table {
 public:
  struct Data;
  explicit Table(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  [[nodiscard]] bool empty() const;
  [[nodiscard]] Table table(std::string_view key) const;
  [[nodiscard]] std::vector<Table> tables(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  [[nodiscard]] bool flag(std::string_view key) const;
  /// Returns the number of elements of an array; 0: no array.
  [[nodiscard]] std::size_t count_of(std::string_view key) const;
  /// Returns every text of the table by key.
  [[nodiscard]] Variables texts() const;
  /// Returns the first key that is not in `known` ("name base") or has another type than noted there
  /// ("name:text setup_network:flag"); empty: none.
  [[nodiscard]] std::string stranger(std::string_view known) const;
  [[nodiscard]] int line() const;  ///< first line of the table, from 1

 private:
  std::shared_ptr<const Data> data_;
};

/// Returns an error "file:line: what" if the file is not TOML.
Result<Table> read_toml(const fs::path& file);

}  // namespace hydra::suite::detail
