// config: proposals from package.json and related files.
#include "base/strings.hpp"
#include "config/command_words.hpp"
#include "config/propose.hpp"

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
  std::string name, lock, install, run, inside;
};

NodeTool wanted_node_tool(const ProjectView& files) {
  const NodeTool tools[] = {
      {"pnpm", "pnpm-lock.yaml", "pnpm install --frozen-lockfile", "pnpm run", "pnpm exec "},
      {"yarn", "yarn.lock", "yarn install --frozen-lockfile", "yarn run", "yarn run "},
      {"bun", files.first_of({"bun.lock", "bun.lockb"}), "bun install --frozen-lockfile", "bun run", "bunx "},
      {"npm", "package-lock.json", "npm ci", "npm run", "npx "}};
  // Without a lock file, `packageManager` names the tool.
  const auto named = quoted_member(files.text("package.json"), "packageManager");
  for (const bool locked : {true, false})
    for (auto tool : tools) {
      const bool berry = tool.name == "yarn" && files.has(".yarnrc.yml");
      const bool wanted = named.starts_with(tool.name + "@") || berry || tool.name == "npm" ||
                          (tool.name == "pnpm" && files.has("pnpm-workspace.yaml"));
      if (locked ? !files.has(tool.lock) : !wanted) continue;
      if (locked && berry) tool.install = "yarn install --immutable";
      if (!locked) tool.install = tool.name + " install";
      if (!locked) tool.lock.clear();
      return tool;
    }
  return tools[3];
}

/// Returns the wanted tool, or npm if it is missing: npm runs the scripts, and npx can fetch the tool that
/// reads the lock file.
NodeTool node_tool(const ProjectView& files) {
  auto tool = wanted_node_tool(files);
  if (files.has_program(tool.name) || tool.name == "npm" || !files.has_program("npx")) return tool;
  const bool classic = tool.name == "yarn" && !files.has(".yarnrc.yml");
  tool.install = "npx --yes " + tool.name + (classic ? "@1" : "") + tool.install.substr(tool.name.size());
  tool.run = "npm run";
  tool.inside = "npx ";
  tool.name = "npm";
  return tool;
}

}  // namespace

bool propose_node(const ProjectView& files, Proposal& p) {
  const auto tool = node_tool(files);
  const auto manifest = files.text("package.json");
  const auto scripts = json_strings(manifest, "scripts");
  if (scripts.contains("build")) p.build = Guess{tool.run + " build", "script \"build\" of package.json"};
  take_scripts(scripts, {"package.json", tool.run, tool.inside}, p);
  for (const auto* name : {"dev", "start", "preview"}) {
    const auto script = scripts.find(name);
    if (script == scripts.end()) continue;
    p.run = Guess{tool.run + " " + name, "script \"" + std::string(name) + "\" of package.json"};
    // These servers do not read the variable PORT.
    for (const auto* program : {"vite", "astro", "ng serve"})
      if (script->second.starts_with(program))
        p.run->value += tool.name == "npm" ? " -- --port $PORT" : " --port $PORT";
    break;
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
