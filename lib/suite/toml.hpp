// suite, inside only: tables of TOML, read without their library's headers.
#pragma once

#include "base/result.hpp"
#include "suite/suite.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::suite::detail {

/// A table; one that is not there is empty. A value of another type than asked for is as if it were absent,
/// but for `wrong()`.
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
  /// Elements of an array; 0 where there is none.
  [[nodiscard]] std::size_t count_of(std::string_view key) const;
  /// Every text of the table, by key.
  [[nodiscard]] Variables texts() const;
  /// The first key that is none of `known` ("name base"), or whose value is not of the type that it names
  /// ("name:text setup_network:flag"); empty: all fit.
  [[nodiscard]] std::string stranger(std::string_view known) const;
  [[nodiscard]] int line() const;  ///< where it begins, from 1

 private:
  std::shared_ptr<const Data> data_;
};

/// "file:line: what" where it is no TOML.
Result<Table> read_toml(const fs::path& file);

}  // namespace hydra::suite::detail
