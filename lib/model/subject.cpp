#include "model/subject.hpp"

#include "base/strings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace hydra::model {
namespace {

using Kind = Subject::Kind;

// No name of an agent can contain these marks.
constexpr std::array<std::pair<Kind, std::string_view>, 4> kSuffixes{
    {{Kind::own_tests, "@own"}, {Kind::per_file, "@files"}, {Kind::cold, "@cold"}, {Kind::tried, "@try"}}};
constexpr std::array<std::pair<Kind, char>, 2> kPrefixes{{{Kind::cross, '+'}, {Kind::judgement, '_'}}};
constexpr std::size_t kIdDigits = 16;

std::string hexadecimal(std::uint64_t id) {
  std::array<char, kIdDigits> digits;
  const auto* end = std::to_chars(digits.data(), digits.data() + digits.size(), id, 16).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  return std::string(kIdDigits - length, '0').append(digits.data(), length);
}

std::optional<std::uint64_t> id_of(std::string_view digits) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return digits.size() == kIdDigits ? std::optional(id) : std::nullopt;
}

}  // namespace

Subject Subject::run(Kind kind, const std::string& inputs) {
  return {{}, kind, id_of(fingerprint(inputs).substr(0, kIdDigits)).value_or(0)};
}

std::string text(const Subject& subject) {
  for (const auto& [kind, mark] : kPrefixes)
    if (subject.kind == kind) return mark + hexadecimal(subject.id);
  for (const auto& [kind, mark] : kSuffixes)
    if (subject.kind == kind) return subject.agent + std::string(mark);
  return subject.agent;
}

Subject subject_of(std::string_view text) {
  for (const auto& [kind, mark] : kPrefixes)
    if (text.starts_with(mark))
      if (const auto id = id_of(text.substr(1))) return {{}, kind, *id};
  for (const auto& [kind, mark] : kSuffixes)
    if (text.ends_with(mark)) return Subject::of(text.substr(0, text.size() - mark.size())).as(kind);
  return Subject::of(text);
}

std::string directory_name(const Subject& subject) {
  auto directory = text(subject);
  if (subject.of_baseline()) directory.erase(0, 1);  // the "@"
  std::replace(directory.begin(), directory.end(), '#', '.');
  return directory;
}

Subject subject_of_directory(std::string_view directory) {
  std::string name(directory);
  std::replace(name.begin(), name.end(), '.', '#');
  auto subject = subject_of(name);
  if (subject.agent == kBaseline.substr(1))
    subject = subject.kind == Kind::result ? Subject::baseline() : Subject::baseline().as(subject.kind);
  return subject;
}

}  // namespace hydra::model
