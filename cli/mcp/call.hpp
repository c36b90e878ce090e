// cli: a running request of an MCP client: arguments, progress, cancellation, and questions to the user.
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

/// A resource that an answer refers to.
struct McpLink {
  std::string uri, name, mime;
};

/// A tool's answer: `text` for the model, `structured` for programs.
struct McpAnswer {
  std::string text;
  Json structured{};  ///< null: none
  bool failed = false;
  std::vector<McpLink> links{};
  Json input_required{};  ///< not null: the whole result; the client asks its user and calls again
};

/// A person's reply to a question.
enum class McpReply { yes, no, nobody };

class McpCall {
 public:
  explicit McpCall(Context& context) : context_(context) {}

  [[nodiscard]] Context& context() const { return context_; }
  [[nodiscard]] const Json& arguments() const { return arguments_; }
  [[nodiscard]] std::string text(const char* name) const;
  [[nodiscard]] bool flag(const char* name) const;
  [[nodiscard]] std::vector<std::string> words(const char* name) const;
  /// Returns the caller's directory: argument `directory`, else this program's working directory. `usage` if
  /// it is no directory.
  Result<std::filesystem::path> directory() const;

  /// Sends a progress message to a client that asked for progress.
  void progress(const std::string& message);
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  /// Returns a descriptor that is readable once the client has cancelled the request or is gone.
  [[nodiscard]] int cancel_fd() const { return cancel_fd_.get(); }
  void cancel(bool by_client);
  /// Whether the client cancelled the request, rather than disconnected.
  [[nodiscard]] bool cancelled_by_client() const { return by_client_; }

  /// Whether a person can be asked.
  [[nodiscard]] bool can_ask() const { return ask_ != nullptr || asks_by_retry_; }
  /// Asks the person. In revision 2026-07-28 questions travel in answers: the first call returns nullopt, and
  /// the caller must return question().
  std::optional<McpReply> ask(const std::string& question);
  /// Returns the answer that asks; the client's second call carries `state`.
  [[nodiscard]] static Json question(const std::string& text, const std::string& state);
  /// Returns the state of an earlier answer; empty: first call.
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

/// Returns a form with one check box.
Json mcp_form(const std::string& question);
/// Returns the person's reply to mcp_form().
McpReply mcp_reply(const Json& result);

}  // namespace hydra::cli
