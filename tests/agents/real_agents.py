#!/usr/bin/env python3
"""Races of the real agent CLIs against the loopback model: ./dev test --real-agents. The CLIs come from npm into a cache
folder; nothing here is part of the ordinary tests.

usage: real_agents.py [--agents A,B] [--scenarios S,T] [--cache DIR] [--record DIR] [--no-tiny] [--no-follow-ups]
       [--keep]
"""
import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import follow_ups
from box import HERE, Box, children

PACKAGES = {
    "claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "gemini": "@google/gemini-cli",
    "qwen": "@qwen-code/qwen-code", "opencode": "opencode-ai", "copilot": "@github/copilot",
    "pi": "@earendil-works/pi-coding-agent", "cline": "cline", "cn": "@continuedev/cli", "kimi": "@moonshot-ai/kimi-code",
    "kilocode": "@kilocode/cli@7.7.7",  # the newest whose program for Linux is in the registry
}
ALL = list(PACKAGES)
LIMIT = 150  # seconds that an agent has in a failing scenario; opencode tries again for 90

# What must come out: scenario -> (time limit in seconds, {agent or "*": set of "outcome/class"}). An agent that tries
# again for longer than its limit is stopped by Hydra.
LATE = "timed_out/"
EXPECTED = {
    "ok": (180, {"*": {"completed/"}}),
    "noop": (120, {"*": {"no_changes/"}}),
    "toolfail": (120, {"*": {"no_changes/"}}),
    "errorwords": (120, {"*": {"no_changes/"}}),
    "forged": (120, {"*": {"no_changes/"}}),
    "huge": (120, {"*": {"no_changes/"}}),
    "big": (120, {"*": {"no_changes/"}}),
    "bgtool": (120, {"*": {"completed/"}}),
    "http400": (LIMIT, {"*": {"failed/agent_error"}}),
    "http401": (LIMIT, {"*": {"failed/auth"}}),
    "http403": (LIMIT, {"*": {"failed/auth"}}),
    "http404": (LIMIT, {"*": {"failed/agent_error"}}),
    "http429": (LIMIT, {"*": {"failed/rate_limit"}, "qwen": {"failed/rate_limit", LATE}}),
    "http500": (LIMIT, {"*": {"failed/provider"}, "qwen": {"failed/provider", LATE}}),
    "http529": (LIMIT, {"*": {"failed/provider"}, "gemini": {"failed/provider", LATE}, "qwen": {"failed/provider", LATE}}),
    "late401": (LIMIT, {"*": {"failed/auth"}}),
    "late500": (LIMIT, {"*": {"failed/provider"}}),
    "toolong": (LIMIT, {"*": {"failed/agent_error"}}),
    "nested": (LIMIT, {"*": {"failed/agent_error", "failed/provider"}}),
    "refusal": (LIMIT, {"*": {"failed/agent_error", "no_changes/"}}),
    "length": (LIMIT, {"*": {"failed/agent_error", "no_changes/"}}),
    "cut": (LIMIT, {"*": {"failed/provider"}}),
    "latecut": (LIMIT, {"*": {"failed/provider"}}),
    "stall": (45, {"*": {"timed_out/"}}),
    # gemini has a loop detector of its own.
    "loop": (45, {"*": {"timed_out/"}, "gemini": {"timed_out/", "failed/agent_error"}}),
    # cline ends a tool after 30 s itself.
    "longtool": (45, {"*": {"timed_out/"}, "cline": {"timed_out/", "no_changes/"}}),
    "same": (60, {"*": {"timed_out/"}, "gemini": {"timed_out/", "failed/agent_error"}, "cline": {"failed/agent_error"}}),
}
ROUTINE = ["ok", "http401", "http429", "http500", "cut", "stall", "loop"]


def install(cache, agents):
    """The CLIs that could be installed, as agent -> version; the reasons of the others are printed."""
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "package.json").write_text('{"private": true}')
    bins = cache / "node_modules" / ".bin"
    missing = [a for a in agents if not (bins / a).exists()]
    if missing:
        command = ["npm", "install", "--prefix", cache, "--no-fund", "--no-audit", "--loglevel=error"]
        done = subprocess.run([*command, *(PACKAGES[a] for a in missing)], capture_output=True, text=True)
        if done.returncode != 0:  # one that is missing must not hide the others
            for agent in missing:
                one = subprocess.run([*command, PACKAGES[agent]], capture_output=True, text=True)
                if one.returncode != 0:
                    print(f"{agent}: not installed: npm install {PACKAGES[agent]} said: {one.stderr.strip()[-400:]}")
    return bins, [a for a in agents if (bins / a).exists()]


def expected_usage(box, agent):
    """What the endpoint reported for this agent's answered calls: input, output, cache_read."""
    sums = [0, 0, 0]
    for row in box.calls(agent):
        # opencode and kilocode ask for a title beside the session and keep that call out of their numbers.
        if row.get("usage") and (row["main"] or agent not in ("opencode", "kilocode")):
            for i in range(3):
                sums[i] += row["usage"][i]
            if agent == "gemini":  # thoughts are output too, which its endpoint counts apart
                sums[1] += row["usage"][4]
    return dict(zip(("input", "output", "cache_read"), sums))


def attempt_files(box, race, agent):
    return sorted((box.root / "state/hydra/races" / race / "attempts" / agent).glob("agent-*"))[-1:]


def record(box, scenario, results, target):
    """Keeps what each agent printed, without paths of this machine."""
    for row in results["agents"]:
        for attempt in attempt_files(box, results["race"], row["agent"]):
            spec = json.loads((attempt / "spec.json").read_text())
            names = {spec["workdir"]: "/repo", str(box.root / "state/hydra/races" / results["race"] / "run" / row["agent"]): "/run/agent",
                     str(box.root / "home"): "/home/agent", str(box.tools.parent): "/usr/lib/node_modules", str(box.root): "/box",
                     box.url: "http://127.0.0.1:1"}
            folder = target / row["agent"]
            folder.mkdir(parents=True, exist_ok=True)
            for kind in ("stdout", "stderr"):
                text = (attempt / f"{kind}.log").read_bytes()
                for path, name in names.items():
                    text = text.replace(path.encode(), name.encode())
                (folder / f"{scenario}.{kind}").write_bytes(text)
            meta = {"outcome": row["outcome"], "class": row["error_class"], "exit_code": row["exit_code"], "signal": row["signal"],
                    "duration_s": row["duration_seconds"], "tokens": row["tokens"], "expected": expected_usage(box, row["agent"]),
                    "message": row["message"], "result": json.loads((attempt / "result.json").read_text())}
            (folder / f"{scenario}.meta.json").write_text(json.dumps(meta, indent=1))


class Report:
    def __init__(self):
        self.rows, self.failures = [], []

    def fail(self, text):
        self.failures.append(text)
        print("    FAILED: " + text)


def judge(box, scenario, results, agents, report):
    limit, expected = EXPECTED[scenario]
    by_name = {row["agent"]: row for row in results["agents"]}
    for agent in agents:
        row = by_name.get(agent)
        if row is None:
            report.fail(f"{scenario}/{agent}: not in the results")
            continue
        seen = f"{row['state'] if row['outcome'] == 'completed' else row['outcome']}/{row['error_class']}"
        print(f"  {scenario:<10} {agent:<9} {seen:<22} {row['duration_seconds']:6.1f} s  exit {row['exit_code']}"
              f" signal {row['signal']}  tokens {json.dumps(row['tokens'])}  {row['message'][:110]}")
        report.rows.append((scenario, agent, seen, row["duration_seconds"]))
        wanted = expected.get(agent, expected["*"])
        if seen not in wanted:
            report.fail(f"{scenario}/{agent}: {seen}, not {' or '.join(sorted(wanted))}: {row['message']}")
        if row["duration_seconds"] > limit + 15:
            report.fail(f"{scenario}/{agent}: took {row['duration_seconds']} s, the limit is {limit} s")
        if scenario == "ok":
            check_ok(box, row, report)
    survivors = box.survivors()
    if survivors:
        report.fail(f"{scenario}: left processes: {survivors}")


def check_ok(box, row, report):
    agent = row["agent"]
    want = expected_usage(box, agent)
    have = {key: row["tokens"].get(key) for key in want}
    if have != want:
        report.fail(f"ok/{agent}: usage {have}, the endpoint reported {want}")
    if row["diff"]["files_changed"] != 1 or row["rank"] is None or not row["eligible"]:
        report.fail(f"ok/{agent}: not captured and ranked: {row['diff']} rank {row['rank']} {row['ineligible_reasons']}")
    for kind in ("build", "tests"):
        if row["dimensions"][kind]["points"] != 100:
            report.fail(f"ok/{agent}: {kind}: {row['dimensions'][kind]}")


def tiny_runs(box, agents, report):
    """`hydra agents test` with a model that works and one that refuses the key."""
    for agent in agents:
        for scenario, works in (("hello", True), ("http401", False)):
            done = box.hydra(["agents", "test", agent, "--json"], scenario)
            try:
                seen = json.loads(done.stdout)
            except ValueError:
                report.fail(f"agents test {agent}: {done.stdout} {done.stderr}")
                continue
            steps = {step["name"]: step["ok"] for step in seen["steps"]}
            print(f"  agents test {agent:<9} {scenario:<8} {json.dumps(steps)}  {seen['remedy']}")
            if seen["ok"] != works or done.returncode != (0 if works else 1) or steps["signs in"] != works:
                report.fail(f"agents test {agent} with {scenario}: {done.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--agents", default=",".join(ALL))
    parser.add_argument("--scenarios", default=",".join(ROUTINE), help="or: all")
    parser.add_argument("--cache", default=os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")) + "/hydra-real-agents")
    parser.add_argument("--bin", default=str(HERE.parent.parent / "build/release/bin"))
    parser.add_argument("--record")
    parser.add_argument("--no-tiny", action="store_true", help="leave out `hydra agents test`")
    parser.add_argument("--no-follow-ups", action="store_true", help="leave out resumed sessions, budgets, stalls, retries")
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    cache = Path(args.cache)
    bins, agents = install(cache, args.agents.split(","))
    report = Report()
    for name in set(args.agents.split(",")) - set(agents):
        report.fail(f"{name}: not installed")
    box = Box(cache / "boxes", bins, Path(args.bin))
    try:
        versions = {row["id"]: row["version"] for row in
                    json.loads(box.hydra(["agents", "--probe", "--json"]).stdout or '{"agents":[]}')["agents"]}
        for agent in agents:
            print(f"{agent} {versions.get(agent) or 'of unknown version'} ({PACKAGES[agent]})")
        for scenario in EXPECTED if args.scenarios == "all" else filter(None, args.scenarios.split(",")):
            results = box.race(agents, scenario, f"{EXPECTED[scenario][0]}s")
            if results is None:
                report.fail(f"{scenario}: no results")
                continue
            judge(box, scenario, results, agents, report)
            if args.record:
                record(box, scenario, results, Path(args.record))
        if not args.no_follow_ups:
            follow_ups.all_of_them(box, agents, expected_usage, report)
        if not args.no_tiny:
            tiny_runs(box, agents, report)
    finally:
        box.close(args.keep)
    left = children(str(box.root))
    if left:
        report.fail(f"processes are left after the daemon: {left}")
    print(f"{len(report.rows)} runs, {len(report.failures)} failures")
    for text in report.failures:
        print("  " + text)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
