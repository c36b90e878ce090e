// base: values that every room uses. Result<T> is either a value or an Error.
// Ordinary failures are values; exceptions are for bugs and are translated at library edges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace hydra {

/// What kind of failure it is. Decides the exit code of `hydra` and the HTTP status of the API.
enum class Errc {
  usage,        ///< the user's words are wrong (exit 2)
  config,       ///< hydra.toml is wrong (exit 2)
  not_found,    ///< no such race, agent, branch, file
  conflict,     ///< somebody else changed it meanwhile
  refused,      ///< a safety rule forbids it (exit 1)
  environment,  ///< the machine lacks something (exit 3)
  git,          ///< a git step failed
  io,           ///< a system call failed
  timeout,      ///< a deadline passed
  protocol,     ///< a peer broke the protocol
  unsupported,  ///< known, and not possible here
  internal,     ///< a bug in Hydra
};

/// Stable name of a code, as it stands in JSON ("not_found").
std::string_view errc_name(Errc code);
/// The code of a name; `internal` for an unknown one.
Errc errc_from_name(std::string_view name);

/// One failure: what happened, where, and what to do next.
struct Error {
  Errc code = Errc::internal;
  std::string message;  ///< one sentence, no trailing newline
  std::string where;    ///< "file:line:column", a path or a step; may be empty
  std::string hint;     ///< what to do next; may be empty
  int number = 0;       ///< errno of the call that failed, here or in a program that says so; 0: not known
};

/// "where: message (hint)", for people.
std::string describe(const Error& error);

/// An Error for a failed system call: `what: strerror(errnum)`.
Error system_error(std::string_view what, int errnum);
/// The errno that a program's own words name, of those that may pass: a full disk, a machine short of memory,
/// processes or files, a disk that fails. 0: none of them.
int passing_errno(std::string_view words);

/// A value or an Error.
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
/// HYDRA_TRY(auto x, f()): the value of f(), or return its Error from this function.
#define HYDRA_TRY(decl, expr)                                     \
  auto HYDRA_CONCAT(hydra_try_, __LINE__) = (expr);               \
  if (!HYDRA_CONCAT(hydra_try_, __LINE__).ok())                   \
    return std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).error(); \
  decl = std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).value()
/// HYDRA_CHECK(f()): return f()'s Error from this function if it failed.
#define HYDRA_CHECK(expr)                                                                         \
  if (auto HYDRA_CONCAT(hydra_try_, __LINE__) = (expr); !HYDRA_CONCAT(hydra_try_, __LINE__).ok()) \
  return std::move(HYDRA_CONCAT(hydra_try_, __LINE__)).error()

}  // namespace hydra
