#include "suite/toml.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "base/toml.hpp"
#include "suite/impl.hpp"

namespace hydra::suite::detail {

struct Table::Data {
  std::shared_ptr<const toml::table> owner;
  const toml::table* table = nullptr;
  [[nodiscard]] const toml::node* get(std::string_view key) const {
    return table != nullptr ? table->get(key) : nullptr;
  }
};

bool Table::empty() const { return data_->table == nullptr || data_->table->empty(); }

Table Table::table(std::string_view key) const {
  const auto* node = data_->get(key);
  return Table(std::make_shared<Data>(Data{data_->owner, node != nullptr ? node->as_table() : nullptr}));
}

std::vector<Table> Table::tables(std::string_view key) const {
  std::vector<Table> all;
  const auto* node = data_->get(key);
  if (node == nullptr || !node->is_array()) return all;
  for (const auto& item : *node->as_array())
    all.emplace_back(std::make_shared<Data>(Data{data_->owner, item.as_table()}));
  return all;
}

std::string Table::text(std::string_view key) const {
  const auto* node = data_->get(key);
  return node != nullptr && node->is_string() ? node->as_string()->get() : std::string();
}

std::optional<double> Table::number(std::string_view key) const {
  const auto* node = data_->get(key);
  return node != nullptr && node->is_number() ? node->value<double>() : std::nullopt;
}

bool Table::flag(std::string_view key) const {
  const auto* node = data_->get(key);
  return node != nullptr && node->is_boolean() && node->as_boolean()->get();
}

std::size_t Table::count_of(std::string_view key) const {
  const auto* node = data_->get(key);
  return node != nullptr && node->is_array() ? node->as_array()->size() : 0;
}

Variables Table::texts() const {
  Variables all;
  if (data_->table == nullptr) return all;
  for (const auto& [key, node] : *data_->table)
    if (node.is_string()) all.emplace_back(std::string(key.str()), node.as_string()->get());
  return all;
}

std::string Table::stranger(std::string_view known) const {
  if (data_->table == nullptr) return {};
  for (const auto& [key, node] : *data_->table) {
    bool fits = false;
    for (const auto word : split(known, ' ')) {
      const auto colon = word.find(':');
      if (word.substr(0, colon) != key.str()) continue;
      const auto type = colon == std::string_view::npos ? "" : word.substr(colon + 1);
      fits = type == "text"     ? node.is_string()
             : type == "number" ? node.is_number()
             : type == "flag"   ? node.is_boolean()
             : type == "tables" ? node.is_array()
                                : true;
    }
    if (!fits) return std::string(key.str());
  }
  return {};
}

int Table::line() const {
  return data_->table != nullptr ? static_cast<int>(data_->table->source().begin.line) : 0;
}

Result<Table> read_toml(const fs::path& file) {
  HYDRA_TRY(const auto text, read_file(file, kTextBytes));
  try {
    auto owner = std::make_shared<const toml::table>(parse_toml(text));
    const auto* whole = owner.get();
    return Table(std::make_shared<Table::Data>(Table::Data{std::move(owner), whole}));
  } catch (const toml::parse_error& e) {
    return Error{Errc::config,
                 file.filename().string() + ":" + std::to_string(e.source().begin.line) + ": " +
                     std::string(e.description()),
                 {},
                 {}};
  }
}

}  // namespace hydra::suite::detail
