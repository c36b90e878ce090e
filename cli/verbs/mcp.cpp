#include "cli/context.hpp"
#include "cli/mcp/server.hpp"

#include <signal.h>
#include <unistd.h>

namespace hydra::cli {
namespace {

Result<int> mcp(Context& context) {
  if (::isatty(0) != 0)
    return Error{Errc::usage,
                 "`hydra mcp` talks to a program, and this is a terminal",
                 {},
                 "an editor or agent starts it: claude mcp add hydra -- hydra mcp (docs/ci.md)"};
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
          mcp};
}

}  // namespace hydra::cli
