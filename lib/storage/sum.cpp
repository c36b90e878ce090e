#include "storage/sum.hpp"

#include <boost/crc.hpp>
#include <sqlite3.h>

namespace hydra::storage {
namespace {

void take(boost::crc_32_type& sum, sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  sum.process_byte(static_cast<unsigned char>(type));
  if (type == SQLITE_INTEGER) {
    const auto number = sqlite3_value_int64(value);
    sum.process_bytes(&number, sizeof number);
  } else if (type == SQLITE_FLOAT) {
    const auto number = sqlite3_value_double(value);
    sum.process_bytes(&number, sizeof number);
  } else if (const void* bytes = sqlite3_value_blob(value); bytes != nullptr) {
    sum.process_bytes(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
  }
}

int add_function(sqlite3* database, const char**, const void*) {
  const auto call = [](sqlite3_context* context, int count, sqlite3_value** values) {
    boost::crc_32_type sum;
    for (int i = 0; i < count; ++i) take(sum, values[i]);
    sqlite3_result_int64(context, sum.checksum());
  };
  return sqlite3_create_function(database, "hydra_sum", -1,
                                 SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr, call,
                                 nullptr, nullptr);
}

}  // namespace

std::uint32_t sum_of(std::string_view bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

// SQLite keeps one entry for one function, however often it is named.
void know_sums() { sqlite3_auto_extension(reinterpret_cast<void (*)()>(&add_function)); }

}  // namespace hydra::storage
