// config: proposals from package.json and related files.
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "config/propose.hpp"

#include <fmt/format.h>

namespace hydra::config {

namespace {

/// Returns the text of `"key": "…"` in JSON with comments, without "./" and "/" at its ends.
std::string quoted_member(std::string_view text, std::string_view key) {
  const auto at = text.find("\"" + std::string(key) + "\"");
  if (at == std::string_view::npos) return {};
  const auto rest = trim(text.substr(at + key.size() + 2));
  if (!rest.starts_with(':')) return {};
  const auto parts = split(rest.substr(0, rest.find('\n')), '"');
  if (parts.size() < 3 || trim(parts[0]) != ":") return {};
  auto value = parts[1];
  while (value.starts_with("./")) value.remove_prefix(2);
  while (value.ends_with('/')) value.remove_suffix(1);
  const bool plain =
      !value.empty() && value.front() != '/' && value != "." && value.find("..") == std::string_view::npos &&
      value.find('\\') == std::string_view::npos && value.find_first_of("*?~") == std::string_view::npos;
  return plain ? std::string(value) : std::string();
}

struct NodeTool {
  std::string name, lock, install, run;
};

NodeTool wanted_node_tool(const ProjectView& files) {
  if (files.has("pnpm-lock.yaml"))
    return {"pnpm", "pnpm-lock.yaml", "pnpm install --frozen-lockfile", "pnpm run"};
  if (files.has("yarn.lock"))
    return files.has(".yarnrc.yml")
               ? NodeTool{"yarn", "yarn.lock", "yarn install --immutable", "yarn run"}
               : NodeTool{"yarn", "yarn.lock", "yarn install --frozen-lockfile", "yarn run"};
  if (const auto lock = files.first_of({"bun.lock", "bun.lockb"}); !lock.empty())
    return {"bun", lock, "bun install --frozen-lockfile", "bun run"};
  if (files.has("package-lock.json")) return {"npm", "package-lock.json", "npm ci", "npm run"};
  // Without a lock file, `packageManager` names the tool.
  const auto named = quoted_member(files.text("package.json"), "packageManager");
  const auto wants = [&](std::string_view tool) {
    return named.starts_with(tool) && named.size() > tool.size() && named[tool.size()] == '@';
  };
  if (wants("pnpm") || files.has("pnpm-workspace.yaml")) return {"pnpm", "", "pnpm install", "pnpm run"};
  if (wants("yarn") || files.has(".yarnrc.yml")) return {"yarn", "", "yarn install", "yarn run"};
  if (wants("bun")) return {"bun", "", "bun install", "bun run"};
  return {"npm", "", "npm install", "npm run"};
}

/// Returns the wanted tool, or npm if it is missing: npm runs the scripts, and npx can fetch the tool that
/// reads the lock file.
NodeTool node_tool(const ProjectView& files) {
  auto tool = wanted_node_tool(files);
  if (files.has_program(tool.name) || tool.name == "npm" || !files.has_program("npx")) return tool;
  const bool classic = tool.name == "yarn" && !files.has(".yarnrc.yml");
  tool.install = "npx --yes " + tool.name + (classic ? "@1" : "") + tool.install.substr(tool.name.size());
  tool.run = "npm run";
  tool.name = "npm";
  return tool;
}

}  // namespace

bool propose_node(const ProjectView& files, Proposal& p) {
  const auto tool = node_tool(files);
  const auto manifest = files.text("package.json");
  const auto scripts = json_strings(manifest, "scripts");
  const auto script = [&](const std::string& name) -> std::optional<Guess> {
    const auto it = scripts.find(name);
    // The script of `npm init` fails by design.
    if (it == scripts.end() || it->second.find("no test specified") != std::string::npos) return std::nullopt;
    const std::string command = tool.name == "npm" && name == "test" ? "npm test" : tool.run + " " + name;
    return Guess{command, fmt::format("script \"{}\" of package.json", name)};
  };
  p.build = script("build");
  p.test = script("test");
  p.lint = script("lint");
  for (const auto* name : {"dev", "start", "preview"}) {
    if (p.run || !(p.run = script(name))) continue;
    // These servers do not read the variable PORT.
    for (const auto* program : {"vite", "astro", "ng serve"})
      if (scripts.at(name).starts_with(program))
        p.run->value += tool.name == "npm" ? " -- --port $PORT" : " --port $PORT";
  }
  const bool pnpm_workspace = files.has("pnpm-workspace.yaml");
  const bool workspaces = pnpm_workspace || json_has_key(manifest, "workspaces");
  if (!p.test && pnpm_workspace) p.test = Guess{"pnpm -r test", "pnpm-workspace.yaml and no script \"test\""};
  if (!p.test && !pnpm_workspace && workspaces && tool.name == "npm")
    p.test = Guess{"npm test --workspaces --if-present", "workspaces of package.json and no script \"test\""};
  if (files.has("tsconfig.json")) {
    if (!p.build) p.build = Guess{"npx tsc -p .", "tsconfig.json and no script \"build\""};
    if (const auto out = quoted_member(files.text("tsconfig.json"), "outDir"); !out.empty()) {
      p.outputs.push_back({out, "outDir of tsconfig.json"});
      p.outputs.push_back({"**/*.tsbuildinfo", "the compiler's state goes with it"});
    }
  }
  p.setup = Guess{tool.install, tool.lock.empty() ? "no lock file found" : tool.lock};
  // `npm ci` begins by removing node_modules, so fitting copied dependencies skip it.
  if (tool.install == "npm ci" && files.has("node_modules"))
    p.setup = Guess{"npm ls --all >/dev/null 2>&1 || npm ci",
                    "package-lock.json, where node_modules does not fit it"};
  p.share = {{workspaces ? "**/node_modules" : "node_modules", "installed dependencies"}};
  return true;
}

}  // namespace hydra::config
