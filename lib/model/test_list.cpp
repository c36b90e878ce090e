#include "model/test_list.hpp"

#include <algorithm>
#include <functional>
#include <mutex>

namespace hydra::model {
namespace {

std::uint64_t number_of(std::string_view name) { return std::hash<std::string_view>{}(name); }

int badness(TestStatus status) {
  switch (status) {
    case TestStatus::passed:
      return 0;
    case TestStatus::skipped:
      return 1;
    case TestStatus::failed:
      return 2;
    case TestStatus::error:
      return 3;
  }
  return 3;
}

}  // namespace

struct TestList::Block {
  struct Entry {
    std::size_t end;  ///< of the name in `text`
    TestStatus status;
  };
  std::string text;
  std::vector<Entry> entries;
  std::once_flag once;
  bool is_numbered = false;
  std::vector<Numbered> numbered;
};

TestList::TestList(const std::vector<TestCase>& tests) {
  if (tests.empty()) return;
  std::size_t bytes = 0;
  for (const auto& test : tests) bytes += test.name.size() + 1;
  auto& block = own();
  block.text.reserve(bytes);
  block.entries.reserve(tests.size());
  for (const auto& test : tests) push_back({test.name, test.status});
}
TestList::TestList(std::initializer_list<TestCase> tests) {
  for (const auto& test : tests) push_back({test.name, test.status});
}

std::size_t TestList::size() const { return block_ ? block_->entries.size() : 0; }

TestList::Test TestList::operator[](std::size_t at) const {
  const auto& text = block_->text;
  const auto& entries = block_->entries;
  const std::size_t begin = at == 0 ? 0 : entries[at - 1].end + 1;
  return {std::string_view(text).substr(begin, entries[at].end - begin), entries[at].status};
}

std::string_view TestList::text() const {
  return block_ ? std::string_view(block_->text) : std::string_view();
}

const std::vector<TestList::Numbered>& TestList::numbered() const {
  static const std::vector<Numbered> kNone;
  if (!block_) return kNone;
  std::call_once(block_->once, [this] {
    block_->is_numbered = true;
    auto& all = block_->numbered;
    all.reserve(size());
    for (std::uint32_t i = 0; i < size(); ++i) {
      const auto test = (*this)[i];
      all.push_back({number_of(test.name), i, test.status});
    }
    const auto before = [](const Numbered& a, const Numbered& b) {
      return a.number != b.number ? a.number < b.number : badness(a.status) > badness(b.status);
    };
    // Lists of a suite name its tests in one order: all but the first are sorted.
    if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
    const auto same = [](const auto& a, const auto& b) { return a.number == b.number; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
  });
  return block_->numbered;
}

std::optional<TestStatus> TestList::find(std::string_view name) const {
  const auto& all = numbered();
  const auto number = number_of(name);
  const auto at = std::lower_bound(all.begin(), all.end(), number,
                                   [](const auto& each, auto wanted) { return each.number < wanted; });
  if (at == all.end() || at->number != number) return std::nullopt;
  return at->status;
}

TestList TestList::without(const TestList& known) const {
  std::vector<std::uint32_t> places;
  const auto& theirs = known.numbered();
  auto at = theirs.begin();
  for (const auto& mine : numbered()) {
    while (at != theirs.end() && at->number < mine.number) ++at;
    if (at == theirs.end() || at->number != mine.number) places.push_back(mine.at);
  }
  std::sort(places.begin(), places.end());
  TestList out;
  for (const auto place : places) out.push_back((*this)[place]);
  return out;
}

TestList::Block& TestList::own() {
  if (block_ && block_.use_count() == 1 && !block_->is_numbered) return *block_;
  auto fresh = std::make_shared<Block>();
  if (block_) fresh->text = block_->text, fresh->entries = block_->entries;
  block_ = std::move(fresh);
  return *block_;
}

void TestList::push_back(const Test& test) {
  auto& block = own();
  block.text.append(test.name);
  block.entries.push_back({block.text.size(), test.status});
  block.text += '\n';
}

void TestList::append(const TestList& more) {
  for (const auto& test : more) push_back(test);
}

}  // namespace hydra::model
