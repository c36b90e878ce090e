// cli: an MCP server on two descriptors. The server speaks revision 2026-07-28, whose requests are
// independent, and the two revisions before, which begin with `initialize`.
#pragma once

#include "cli/mcp/call.hpp"
#include "cli/mcp/tools.hpp"
#include "cli/mcp/wire.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace hydra::cli {

class McpServer {
 public:
  McpServer(Context& context, int in, int out) : context_(context), reader_(in), writer_(out) {}
  /// Serves until the input ends, then cancels running requests; races go on.
  void run();

 private:
  struct Running {
    std::shared_ptr<McpCall> call;
    std::thread thread;
    bool done = false;
  };
  /// A question to the client's user, in the older revisions.
  struct Question {
    Json answer;
    bool answered = false;
  };

  void message(const Json& message);
  void request(const Json& message);
  void notification(const Json& message);
  void response(const Json& message);
  void initialize(const Json& id, const Json& params);
  /// Whether the request may run; false: already answered.
  bool admit(const Json& id, const std::string& method, const Json& meta, bool& modern);
  void start(const Json& id, const std::string& method, const Json& params, bool modern);
  void work(const std::string& key, const std::string& method, const Json& params, bool modern);
  Json answer(McpCall& call, const std::string& method, const Json& params, bool modern);
  Json call_tool(McpCall& call, const Json& params, bool modern);
  McpReply ask_client(McpCall& call, const std::string& question);
  Json finished(Json result, bool modern) const;
  [[nodiscard]] Json about() const;
  void reap(bool all);

  Context& context_;
  McpReader reader_;
  McpWriter writer_;
  bool initialized_ = false, old_elicitation_ = false;
  int questions_asked_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Running> running_;  ///< running requests by the request id as JSON
  std::map<std::string, Question> questions_;
};

}  // namespace hydra::cli
