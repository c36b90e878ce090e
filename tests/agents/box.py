"""A place for races of real agents: a home, a state directory, a project and the loopback model, all in one directory."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

PROJECT = {
    "calc.py": "def add(a, b):\n    return a - b\n",
    "test_calc.py": "import unittest\nfrom calc import add\n\n\nclass Adds(unittest.TestCase):\n    def test_adds(self):\n"
                    "        self.assertEqual(add(2, 3), 5)\n\n    def test_zero(self):\n        self.assertEqual(add(4, 0), 4)\n",
    "hydra.toml": '[scoring]\nbuild_command = "python3 -m py_compile calc.py"\ntest_command = "python3 -m unittest -v test_calc"\n',
    ".gitignore": "__pycache__/\n",
}


def children(marker):
    """Processes that carry the marker in their environment, as pid -> command line."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if marker.encode() in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


class Box:
    def __init__(self, root, tools, bins, home=None):
        root.mkdir(parents=True, exist_ok=True)
        self.root = Path(tempfile.mkdtemp(prefix="box-", dir=root))
        self.tools, self.bins, self.home = tools, bins, home or self.root / "home"
        for name in ("state", "run", "config", "home", "repo", "work", "tmp"):
            (self.root / name).mkdir()
        self.log = self.root / "calls.jsonl"
        self.log.touch()
        port = self.root / "port"
        self.server = subprocess.Popen([sys.executable, HERE / "model_server.py", port, self.log], env={**os.environ})
        while not port.exists():
            if self.server.poll() is not None:
                raise SystemExit("the model endpoint did not start")
            time.sleep(0.05)
        self.url = "http://127.0.0.1:" + port.read_text()
        self.repository(self.root / "repo")

    def repository(self, path, files=PROJECT):
        path.mkdir(exist_ok=True)
        for name, text in files.items():
            (path / name).write_text(text)
        git = ["git", "-C", path, "-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "A wrong sum"], check=True)

    def base(self, agent, scenario):
        return f"{self.url}/{agent}/{scenario}"

    def environment(self, scenario):
        """What a user of these agents has set, with every endpoint at the loopback model."""
        home = self.home
        self.write_homes(home, scenario)
        return {
            "PATH": f"{self.tools}:{self.bins}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8",
            "TMPDIR": str(self.root / "tmp"),
            "XDG_STATE_HOME": str(self.root / "state"), "XDG_RUNTIME_DIR": str(self.root / "run"),
            "XDG_CONFIG_HOME": str(self.root / "config"), "USER": os.environ.get("USER", "root"),
            "GIT_AUTHOR_NAME": "Tester", "GIT_AUTHOR_EMAIL": "tester@example.org",
            "GIT_COMMITTER_NAME": "Tester", "GIT_COMMITTER_EMAIL": "tester@example.org",
            "ANTHROPIC_BASE_URL": self.base("claude", scenario), "ANTHROPIC_API_KEY": "test-key-anthropic",
            "OPENAI_API_KEY": "test-key-openai", "OPENAI_BASE_URL": self.base("qwen", scenario) + "/v1", "OPENAI_MODEL": "mock-model",
            "GEMINI_API_KEY": "test-key-gemini", "GOOGLE_GEMINI_BASE_URL": self.base("gemini", scenario),
            "OPENCODE_CONFIG_CONTENT": self.opencode("opencode", scenario), "KILO_CONFIG_CONTENT": self.opencode("kilocode", scenario),
            "COPILOT_PROVIDER_BASE_URL": self.base("copilot", scenario) + "/v1", "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_WIRE_API": "completions", "COPILOT_PROVIDER_API_KEY": "test-key-copilot",
            "COPILOT_MODEL": "mock-model", "COPILOT_OFFLINE": "true",
            "KIMI_MODEL_NAME": "mock-model", "KIMI_MODEL_API_KEY": "test-key-kimi", "KIMI_MODEL_PROVIDER_TYPE": "openai",
            "KIMI_MODEL_BASE_URL": self.base("kimi", scenario) + "/v1",
        }

    def opencode(self, agent, scenario):
        mock = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": self.base(agent, scenario) + "/v1", "apiKey": "x"},
                "models": {"m": {"tool_call": True, "limit": {"context": 200000, "output": 20000}}}}
        return json.dumps({"model": "mock/m", "small_model": "mock/m", "provider": {"mock": mock}})

    def write_homes(self, home, scenario):
        codex, pi = home / ".codex", home / ".pi" / "agent"
        codex.mkdir(exist_ok=True)
        pi.mkdir(parents=True, exist_ok=True)
        (codex / "config.toml").write_text(
            'model = "mock-model"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\n'
            f'base_url = "{self.base("codex", scenario)}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n')
        model = {"id": "m", "contextWindow": 200000, "maxTokens": 20000}
        (pi / "models.json").write_text(json.dumps({"providers": {"mock": {
            "baseUrl": self.base("pi", scenario) + "/v1", "apiKey": "x", "api": "openai-completions", "models": [model]}}}))
        (pi / "settings.json").write_text(json.dumps({"defaultProvider": "mock", "defaultModel": "m"}))
        continue_ = home / ".continue"
        continue_.mkdir(exist_ok=True)
        (continue_ / "config.yaml").write_text(
            "name: mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - {name: m, provider: openai, model: mock-model, apiKey: test-key-cn, "
            f"apiBase: {self.base('cn', scenario)}/v1}}\n")
        cline = home / ".cline" / "data" / "settings"
        cline.mkdir(parents=True, exist_ok=True)
        (cline / "providers.json").write_text(json.dumps({
            "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": {
                "settings": {"provider": "openai-compatible", "apiKey": "test-key-cline", "model": "mock-model",
                             "baseUrl": self.base("cline", scenario) + "/v1"},
                "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}}))

    def hydra(self, arguments, scenario="ok", cwd=None, timeout=1200, stdin=None):
        return subprocess.run([self.bins / "hydra", *arguments], cwd=cwd or self.root / "repo", env=self.environment(scenario),
                              stdin=stdin or subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)

    def race(self, agents, scenario, timeout="90s", extra=(), task="make add() in calc.py add, so that the tests pass"):
        """One race of these agents; the results' JSON, or None with the reason printed."""
        self.log.write_text("")
        run = self.hydra(["race", "--agents", ",".join(agents), "--timeout", timeout, *extra, "--json",
                          task], scenario)
        results = self.hydra(["results", "--json"], scenario)
        (self.root / f"race-{scenario}.log").write_text(run.stdout + run.stderr)
        try:
            return json.loads(results.stdout)
        except ValueError:
            print(run.stdout[-2000:], run.stderr[-2000:], results.stderr, file=sys.stderr)
            return None

    def calls(self, agent):
        return [row for row in map(json.loads, self.log.read_text().splitlines()) if row["agent"] == agent]

    def survivors(self):
        """Processes of this box that are neither the daemon nor the model."""
        return {pid: line for pid, line in children(str(self.root)).items()
                if pid != self.server.pid and "hydrad" not in line.split(" ")[0]}

    def close(self, keep=False):
        self.hydra(["daemon", "stop"])
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()
        if keep:
            print(f"kept: {self.root}", file=sys.stderr)
        else:
            shutil.rmtree(self.root, ignore_errors=True)
