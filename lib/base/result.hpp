// base: Result<T>, a value or an Error. Ordinary failures are values; exceptions mean bugs and are converted
// at library boundaries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace hydra {

/// Kind of a failure; decides the exit code of `hydra` and the HTTP status of the API.
enum class Errc {
  usage,        ///< wrong command line (exit 2)
  config,       ///< wrong hydra.toml (exit 2)
  not_found,    ///< no such race, agent, branch or file
  conflict,     ///< concurrent change by another process
  refused,      ///< action forbidden by a safety rule (exit 1)
  environment,  ///< missing prerequisite on the machine (exit 3)
  git,          ///< failed git command
  io,           ///< failed system call
  timeout,      ///< passed deadline
  protocol,     ///< peer that broke the protocol
  unsupported,  ///< known feature that is not possible here
  internal,     ///< bug in Hydra
};

/// Returns the stable name of a code, as used in JSON ("not_found").
std::string_view errc_name(Errc code);
/// Returns the code of a name; `internal` for an unknown name.
Errc errc_from_name(std::string_view name);

struct Error {
  Errc code = Errc::internal;
  std::string message;  ///< one sentence, no trailing newline
  std::string where;    ///< "file:line:column", a path or a step; may be empty
  std::string hint;     ///< next step for the user; may be empty
  int number = 0;       ///< errno of the failed call, or named by a program's message; 0: unknown
};

/// Returns "where: message (hint)", for people.
std::string describe(const Error& error);

/// Returns an Error for a failed system call: `what: strerror(errnum)`.
Error system_error(std::string_view what, int errnum);
/// Returns the errno named in a program's message if the condition may pass: full disk, lack of memory,
/// processes or files, disk error. 0: none.
int passing_errno(std::string_view words);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }
  T value_or(T other) const { return ok() ? value() : std::move(other); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

#define HYDRA_CONCAT_(a, b) a##b
#define HYDRA_CONCAT(a, b) HYDRA_CONCAT_(a, b)
/// HYDRA_TRY(auto x, f()) declares x as the value of f(), or returns f()'s Error from this function.
#define HYDRA_TRY(decl, expr)                                     \
  auto HYDRA_CONCAT(hydra_try_, __LINE__) = (expr);               \
  if (!HYDRA_CONCAT(hydra_try_, __LINE__).ok())                   \
    return std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).error(); \
  decl = std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).value()
/// HYDRA_CHECK(f()) returns f()'s Error from this function if f() failed.
#define HYDRA_CHECK(expr)                                                                         \
  if (auto HYDRA_CONCAT(hydra_try_, __LINE__) = (expr); !HYDRA_CONCAT(hydra_try_, __LINE__).ok()) \
  return std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).error()

}  // namespace hydra
