#!/usr/bin/env node
// `hydra mcp` under the protocol's reference clients of npm, which are downloaded into a cache folder: the older line
// (begins with `initialize`) and the newer one (revision 2026-07-28), and under a real agent CLI, whose model is a
// script on the loopback interface that has one tool of the server called.
// usage: mcp_clients.mjs [--bin DIR] [--cache DIR] [--no-agent]
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const PACKAGES = { "@modelcontextprotocol/sdk": "1.32.2", "@modelcontextprotocol/client": "2.4.0" };
const AGENT = { "@anthropic-ai/claude-code": "latest" };

const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const source = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const bin = resolve(option("--bin", join(source, "build/release/bin")));
const cache = resolve(option("--cache", join(process.env.XDG_CACHE_HOME ?? join(process.env.HOME, ".cache"), "hydra-mcp")));

function install(packages) {
  mkdirSync(cache, { recursive: true });
  const missing = Object.entries(packages).filter(([name]) => !existsSync(join(cache, "node_modules", name)));
  if (missing.length === 0) return;
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", cache, ...missing.map((p) => p.join("@"))],
    { stdio: ["ignore", "ignore", "inherit"] });
}

const load = (path) => import(pathToFileURL(join(cache, "node_modules", path)).href);

function makeWorld() {
  const root = mkdtempSync(join(tmpdir(), "hydra-mcp-"));
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: join(root, "home"), LANG: "C.UTF-8" };
  for (const [name, below] of [["XDG_STATE_HOME", "state"], ["XDG_CONFIG_HOME", "config"], ["XDG_RUNTIME_DIR", "run"]])
    mkdirSync((env[name] = join(root, below)), { recursive: true, mode: 0o700 });
  const repo = join(env.HOME, "app");
  mkdirSync(join(repo, "src"), { recursive: true });
  writeFileSync(join(repo, "src/app.txt"), "one\n");
  const agent = (name, line) => `[agents.${name}]\ncommand = ["sh", "-c", "${line}", "agent"]\n`;
  writeFileSync(join(repo, "hydra.toml"), '[scoring]\ntest_command = "grep -q good src/app.txt"\n' +
    agent("good", "echo good >> src/app.txt") + agent("bad", "echo bad >> src/app.txt"));
  const git = (...args) => execFileSync("git", ["-C", repo, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args],
    { env, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@example.invalid");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  return { root, env, repo, git };
}

// Both lines of clients look alike from here on.
async function scenario(world, client, elicit, older) {
  const { tools } = await client.listTools();
  assert.ok(tools.find((tool) => tool.name === "race"), "a tool race");
  const progress = [];
  const options = { onprogress: (p) => progress.push(p.message), timeout: 120_000, resetTimeoutOnProgress: true };
  const call = (name, args = {}, opts = options) =>
    older ? client.callTool({ name, arguments: args }, undefined, opts) : client.callTool({ name, arguments: args }, opts);
  const raced = await call("race", { task: "make it good", agents: "good,bad", wait: true });
  assert.ok(!raced.isError, JSON.stringify(raced));
  assert.equal(raced.structuredContent.winner, "good");
  assert.ok(progress.length > 3, "progress was told");
  const { resources } = await client.listResources();
  const log = await client.readResource({ uri: resources.find((r) => r.uri.endsWith("/results")).uri });
  assert.equal(JSON.parse(log.contents[0].text).winner, "good");
  assert.match((await call("diff")).content[0].text, /\+good/);

  const stop = new AbortController();
  const cancelled = call("results", { wait: true }, { signal: stop.signal });
  stop.abort("enough");
  await assert.rejects(cancelled);

  const before = world.git("rev-parse", "HEAD");
  elicit.answer = { action: "decline" };
  assert.equal((await call("merge", { confirm: true })).isError, true);
  assert.equal(world.git("rev-parse", "HEAD"), before, "nothing was merged");
  elicit.answer = { action: "accept", content: { confirm: true } };
  const merged = await call("merge");
  assert.ok(!merged.isError, JSON.stringify(merged));
  assert.notEqual(world.git("rev-parse", "HEAD"), before);
  assert.equal(elicit.asked, 2);
}

async function withClient(version, make) {
  const world = makeWorld();
  const elicit = { asked: 0, answer: null };
  try {
    const { client, transport, older } = await make(world, () => (elicit.asked++, elicit.answer));
    await client.connect(transport);
    assert.equal(client.getServerVersion()?.name, "hydra");
    await scenario(world, client, elicit, older);
    await client.close();
    console.log(`ok: ${version}`);
  } finally {
    execFileSync(join(bin, "hydra"), ["daemon", "stop"], { env: world.env, stdio: "ignore" });
    rmSync(world.root, { recursive: true, force: true });
  }
}

const server = (world) => ({ command: join(bin, "hydra"), args: ["mcp"], cwd: world.repo, env: world.env, stderr: "inherit" });

async function older() {
  const { Client } = await load("@modelcontextprotocol/sdk/dist/esm/client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/dist/esm/client/stdio.js");
  const { ElicitRequestSchema } = await load("@modelcontextprotocol/sdk/dist/esm/types.js");
  await withClient("@modelcontextprotocol/sdk " + PACKAGES["@modelcontextprotocol/sdk"], (world, ask) => {
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ask);
    return { client, transport: new StdioClientTransport(server(world)), older: true };
  });
}

async function newer(mode, name) {
  const { Client } = await load("@modelcontextprotocol/client/dist/index.mjs");
  const { StdioClientTransport } = await load("@modelcontextprotocol/client/dist/stdio.mjs");
  await withClient(`@modelcontextprotocol/client ${PACKAGES["@modelcontextprotocol/client"]}, ${name}`, (world, ask) => {
    const client = new Client({ name: "test", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
    client.setRequestHandler("elicitation/create", ask);
    return { client, transport: new StdioClientTransport(server(world)) };
  });
}

const until = async (holds, what) => {
  for (let i = 0; i < 600; ++i, await new Promise((done) => setTimeout(done, 100))) if (holds()) return;
  throw new Error(`no ${what} after a minute`);
};

// A real agent CLI connects to the server that it was told of, and races with it.
async function agent() {
  install(AGENT);
  const world = makeWorld();
  const port = join(world.root, "port"), calls = join(world.root, "calls");
  const model = spawn("python3", [join(source, "tests/agents/model_server.py"), port, calls],
    { stdio: "inherit", env: { ...process.env, MODEL_SERVER_BODIES: "1" } });
  const claude = (...args) => execFileSync(join(cache, "node_modules/.bin/claude"), args,
    { env: world.env, cwd: world.repo, encoding: "utf8", timeout: 120_000 });
  try {
    claude("mcp", "add", "hydra", "--", join(bin, "hydra"), "mcp");
    const list = claude("mcp", "list");
    assert.match(list, /hydra: .*Connected/);
    const version = JSON.parse(readFileSync(join(cache, "node_modules/@anthropic-ai/claude-code/package.json"))).version;
    console.log(`ok: claude ${version} connects`);
    await until(() => existsSync(port), "model");
    Object.assign(world.env, { ANTHROPIC_BASE_URL: `http://127.0.0.1:${readFileSync(port, "utf8")}/claude/mcp`,
      ANTHROPIC_API_KEY: "sk-ant-loopback", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", ENABLE_TOOL_SEARCH: "false" });
    const said = claude("-p", "race it", "--allowedTools", "mcp__hydra__race");
    assert.match(said, /Done/);
    assert.ok(/winner[^a-z]*good/.test(readFileSync(calls, "utf8")), "the model was told who won");
    const races = execFileSync(join(bin, "hydra"), ["list", "--json"], { env: world.env, cwd: world.repo, encoding: "utf8" });
    assert.equal(JSON.parse(races).races[0].winner, "good");
    console.log(`ok: claude ${version} races`);
  } finally {
    model.kill();
    execFileSync(join(bin, "hydra"), ["daemon", "stop"], { env: world.env, stdio: "ignore" });
    rmSync(world.root, { recursive: true, force: true });
  }
}

install(PACKAGES);
await older();
await newer("auto", "by itself");
await newer({ pin: "2026-07-28" }, "revision 2026-07-28");
if (!process.argv.includes("--no-agent")) await agent();
