#include "cli/context.hpp"
#include "cli/mcp/server.hpp"

#include <signal.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

int mcp(Context& context) {
  if (::isatty(0) != 0)
    return context.fail({Errc::usage,
                         "`hydra mcp` talks to a program, and this is a terminal",
                         {},
                         "an editor or agent starts it: claude mcp add hydra -- hydra mcp (docs/mcp.md)"});
  ::signal(SIGPIPE, SIG_IGN);
  McpServer(context, 0, 1).run();
  return kDone;
}

}  // namespace

Verb mcp_verb() {
  return {"mcp",
          "Serve races to an editor or agent by the Model Context Protocol, on standard input and output",
          {"claude mcp add hydra -- hydra mcp", "codex mcp add hydra -- hydra mcp"},
          {},
          [](Context& context) { return mcp(context); },
          {}};
}

}  // namespace hydra::cli
