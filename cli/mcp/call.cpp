#include "cli/mcp/call.hpp"

#include "base/paths.hpp"
#include "cli/json_fields.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

namespace hydra::cli {

std::string McpCall::text(const char* name) const { return cli::text(arguments_, name); }

bool McpCall::flag(const char* name) const { return member(arguments_, name) == Json(true); }

std::vector<std::string> McpCall::words(const char* name) const {
  std::vector<std::string> out;
  for (const auto& each : member(arguments_, name))
    if (each.is_string()) out.push_back(each.get<std::string>());
  return out;
}

Result<std::filesystem::path> McpCall::directory() const {
  const auto named = text("directory");
  if (named.empty()) return working_directory();
  std::error_code ec;
  if (!named.starts_with('/') || !std::filesystem::is_directory(named, ec))
    return Error{Errc::usage, "no such directory: " + named, "directory",
                 "an absolute path of a directory in a git repository"};
  return std::filesystem::path(named);
}

void McpCall::progress(const std::string& message) {
  if (progress_token_.is_null() || cancelled_) return;
  tell_({{"jsonrpc", "2.0"},
         {"method", "notifications/progress"},
         {"params", {{"progressToken", progress_token_}, {"progress", ++steps_}, {"message", message}}}});
}

void McpCall::cancel(bool by_client) {
  by_client_ = by_client;
  cancelled_ = true;
  const std::uint64_t one = 1;
  (void)!::write(cancel_fd_.get(), &one, sizeof one);
}

std::optional<McpReply> McpCall::ask(const std::string& question) {
  if (ask_) return ask_(question);
  if (!asks_by_retry_) return McpReply::nobody;
  const auto& said = member(input_responses_, "confirm");
  if (said.is_null() || state_.empty()) return std::nullopt;
  return mcp_reply(said);
}

Json McpCall::question(const std::string& text, const std::string& state) {
  return {{"resultType", "input_required"},
          {"inputRequests", {{"confirm", {{"method", "elicitation/create"}, {"params", mcp_form(text)}}}}},
          {"requestState", state}};
}

Json mcp_form(const std::string& question) {
  return {
      {"mode", "form"},
      {"message", question},
      {"requestedSchema",
       {{"type", "object"},
        {"properties", {{"confirm", {{"type", "boolean"}, {"title", "Yes, merge it"}, {"default", false}}}}},
        {"required", {"confirm"}}}}};
}

McpReply mcp_reply(const Json& result) {
  const bool yes =
      text(result, "action") == "accept" && member(member(result, "content"), "confirm") == Json(true);
  return yes ? McpReply::yes : McpReply::no;
}

}  // namespace hydra::cli
