// cli: one request of an MCP client while it is worked on: its arguments, its progress, its cancellation, and
// what is asked of the person behind it.
#pragma once

#include "base/fd.hpp"
#include "base/result.hpp"
#include "cli/context.hpp"
#include "cli/mcp/wire.hpp"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hydra::cli {

/// A resource that an answer points to.
struct McpLink {
  std::string uri, name, mime;
};

/// What a tool has to say. `text` is for the model, `structured` for programs.
struct McpAnswer {
  std::string text;
  Json structured{};  ///< null: none
  bool failed = false;
  std::vector<McpLink> links{};
  Json input_required{};  ///< not null: the whole result; the client asks its user and calls again
};

/// What a person said to a question.
enum class McpReply { yes, no, nobody };

class McpCall {
 public:
  explicit McpCall(Context& context) : context_(context) {}

  [[nodiscard]] Context& context() const { return context_; }
  [[nodiscard]] const Json& arguments() const { return arguments_; }
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] bool flag(const char* name) const;
  [[nodiscard]] std::vector<std::string> words(const char* name) const;
  /// Where the caller works: `directory` of the arguments, else where this program was started. `usage` where
  /// that is no directory.
  Result<std::filesystem::path> directory() const;

  /// "What happened", to a client that wants to be told.
  void progress(const std::string& message);
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  /// Readable once the client has cancelled the request or is gone.
  [[nodiscard]] int cancel_fd() const { return cancel_fd_.get(); }
  void cancel(bool by_client);
  /// The client said so, and did not just go away.
  [[nodiscard]] bool cancelled_by_client() const { return by_client_; }

  /// Whether somebody can be asked.
  [[nodiscard]] bool can_ask() const { return ask_ != nullptr || asks_by_retry_; }
  /// `yes`: the person said so to this question. Where questions travel in answers (2026-07-28): nothing the
  /// first time, and the caller returns question().
  std::optional<McpReply> ask(const std::string& question);
  /// The answer that asks; `state` comes back with the client's second call.
  [[nodiscard]] static Json question(const std::string& text, const std::string& state);
  /// Of an earlier answer; empty: this is the first call.
  [[nodiscard]] const std::string& state() const { return state_; }

 private:
  friend class McpServer;
  Context& context_;
  Json arguments_ = Json::object(), id_, progress_token_, input_responses_;
  std::string state_;
  std::function<McpReply(const std::string&)> ask_;
  std::function<void(const Json&)> tell_;
  bool asks_by_retry_ = false;
  int steps_ = 0;
  std::atomic<bool> cancelled_{false}, by_client_{false};
  UniqueFd cancel_fd_;
};

/// A form with one box to tick.
Json mcp_form(const std::string& question);
/// What a person said to that form.
McpReply mcp_reply(const Json& result);

}  // namespace hydra::cli
