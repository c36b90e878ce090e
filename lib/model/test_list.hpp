// model: the tests of a run by name. Copies share one block, and names compare by number.
#pragma once

#include "model/words.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hydra::model {

enum class TestStatus : std::uint8_t { passed, failed, skipped, error };
template <>
inline constexpr auto kWords<TestStatus> = words<TestStatus>("passed", "failed", "skipped", "error");

struct TestCase {
  std::string name;  ///< equal in two runs: no durations, no paths of the workspace
  TestStatus status = TestStatus::passed;
};

class TestList {
 public:
  struct Test {
    std::string_view name;  ///< valid as long as a copy of the list that is not changed
    TestStatus status;
  };
  /// Test by its name's number, a hash: equal names have equal numbers in every list of this process.
  struct Numbered {
    std::uint64_t number;
    std::uint32_t at;  ///< index in the list
    TestStatus status;
  };
  struct Name {
    operator std::string_view() const { return (*list)[at].name; }  // NOLINT(google-explicit-constructor)
    const TestList* list;
    std::uint32_t at;
  };
  struct Iterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = Test;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Test;
    Test operator*() const { return (*list)[at]; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    Iterator operator++(int) { return {list, at++}; }
    bool operator==(const Iterator&) const = default;
    const TestList* list = nullptr;
    std::size_t at = 0;
  };

  TestList() = default;
  TestList(const std::vector<TestCase>& tests);     // NOLINT(google-explicit-constructor)
  TestList(std::initializer_list<TestCase> tests);  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  Test operator[](std::size_t at) const;
  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size()}; }
  /// All names, one a line.
  [[nodiscard]] std::string_view text() const;
  /// Returns each name once, with its worst status, by number.
  [[nodiscard]] const std::vector<Numbered>& numbered() const;
  /// Returns the worst status of this name; nullopt: no such test.
  [[nodiscard]] std::optional<TestStatus> find(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return find(name).has_value(); }

  /// Returns each test whose name `known` lacks once, in the order of this list.
  [[nodiscard]] TestList without(const TestList& known) const;

  void push_back(const Test& test);
  void append(const TestList& more);
  void clear() { block_.reset(); }

 private:
  struct Block;
  Block& own();
  std::shared_ptr<Block> block_;  ///< null: no tests
};

/// Calls each(name, status in a, status in b) for every name of either list, by number; nullopt: not in it. A
/// name is looked up where it is read as a std::string_view.
template <class Each>
void beside(const TestList& a, const TestList& b, Each each) {
  const auto &of_a = a.numbered(), &of_b = b.numbered();
  using Status = std::optional<TestStatus>;
  for (auto x = of_a.begin(), y = of_b.begin(); x != of_a.end() || y != of_b.end();) {
    const auto order = x == of_a.end()   ? std::strong_ordering::greater
                       : y == of_b.end() ? std::strong_ordering::less
                                         : x->number <=> y->number;
    each(order > 0 ? TestList::Name{&b, y->at} : TestList::Name{&a, x->at}, order > 0 ? Status() : x->status,
         order < 0 ? Status() : y->status);
    if (order <= 0) ++x;
    if (order >= 0) ++y;
  }
}

}  // namespace hydra::model
