"""Whole races for bench/selection: that hydra comes to the cells that an instance holds, and what cross tests cost.

Three scripted agents on an instance's base: one makes the true change with the commit's tests, two make wrong ones
without tests. The daemon, the command, checks, walls and cross runs are the real ones.
"""

import json
import os
import pathlib
import subprocess
import tempfile

import selection_mine

SUITE = {".py": "PYTHONPATH=.:src python3 -m pytest -v -o addopts= -p no:cacheprovider", ".go": "go test -vet=off -v ./..."}


def candidates_of(instance, row, most):
    """Sources of the first two wrong candidates of the row, made again."""
    wrong = [r["what"] for r in row["results"] if not r["right"]][:2]
    made = dict(instance.candidates(most))
    return [made[what] for what in wrong if what in made]


class World:
    def __init__(self, binaries):
        self.hydra = str(binaries / "hydra")
        self.scratch = tempfile.TemporaryDirectory(prefix="hydra-selection-")
        root = self.root = pathlib.Path(self.scratch.name)
        for name in ("home", "state", "config", "run", "out"):
            (root / name).mkdir(mode=0o700)
        self.environment = {**os.environ, "HOME": str(root / "home"), "XDG_STATE_HOME": str(root / "state"),
                            "XDG_CONFIG_HOME": str(root / "config"), "XDG_RUNTIME_DIR": str(root / "run"),
                            "GIT_AUTHOR_NAME": "bench", "GIT_AUTHOR_EMAIL": "bench@localhost",
                            "GIT_COMMITTER_NAME": "bench", "GIT_COMMITTER_EMAIL": "bench@localhost",
                            "PYTHONDONTWRITEBYTECODE": "1", "GO111MODULE": "auto"}

    def run(self, *command, cwd, check=True):
        return subprocess.run(command, cwd=cwd, env=self.environment, check=check, capture_output=True, text=True)

    def agent(self, name, texts):
        """TOML of an agent that makes these files."""
        place = self.root / "out" / name
        removed = [path for path, text in texts.items() if text is None]
        for path, text in texts.items():
            if text is not None:
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                (place / path).write_bytes(text.encode("utf-8", "surrogateescape"))
        script = f"cp -R {place}/. ." + "".join(f"; rm -f '{path}'" for path in removed)
        return f'[agents.{name}]\ncommand = ["sh", "-c", {json.dumps(script)}]\n'

    def stop(self):
        self.run(self.hydra, "daemon", "stop", cwd=self.root, check=False)


def cost_of(events, subjects):
    """Runs, and CPU seconds of all their processes, of the checks of these subjects."""
    ran = [e["evidence"]["cpu_ms"] for e in events
           if e.get("event") in ("check_ended", "check_repeated") and e["subject"] in subjects]
    return {"runs": len(ran), "cpu_s": round(sum(ran) / 1000, 3)}


def race(binaries, repository, row, most=8):
    """What one whole race came to."""
    language = "." + row["language"]
    source = [path for path in row["files"] if not selection_mine.is_test(path, language)]
    tests = [path for path in row["files"] if selection_mine.is_test(path, language)]
    instance = selection_mine.Instance(str(binaries / "bench_selection"), repository, language, row["commit"], source,
                                       tests)
    world = World(binaries)
    try:
        wrong = candidates_of(instance, row, most)
        config = f'[sandbox]\nread = ["{world.root}/out"]\n[scoring]\ntest_command = "{SUITE[language]}"\n'
        config += world.agent("right", {**instance.new, **instance.new_tests})
        for i, sources in enumerate(wrong):
            config += world.agent(f"wrong{i}", sources)
        instance.put(instance.old)
        instance.put(instance.old_tests)
        (instance.root / "hydra.toml").write_text(config)
        world.run("git", "init", "-q", cwd=instance.root)
        world.run("git", "add", "-Af", cwd=instance.root)
        world.run("git", "commit", "-qm", "base", cwd=instance.root)
        agents = ",".join(["right", *(f"wrong{i}" for i in range(len(wrong)))])
        ran = world.run(world.hydra, "race", "--agents", agents, row["commit"], cwd=instance.root, check=False)
        told = world.run(world.hydra, "results", "--json", cwd=instance.root, check=False)
        if told.returncode:
            raise RuntimeError(f"no race: {ran.stdout}{ran.stderr}{told.stderr}")
        results = json.loads(told.stdout)
        return compare(world, results, row, len(wrong), ran.stdout + ran.stderr)
    finally:
        world.stop()


def compare(world, results, row, wrong, text):
    letter = {"pass": "p", "fail": "f", "no_contact": "n"}
    named = {f"wrong{i}": r["hidden"] for i, r in enumerate([r for r in row["results"] if not r["right"]][:wrong])}
    named |= {"right": row["results"][0]["hidden"], "@baseline": row["base_hidden"]}
    same, differ = 0, []
    for cell in results["evidence"]["cells"]:
        for test in cell.get("tests", []):
            if test["name"] not in row["hidden"] or cell["result"] not in named:
                continue
            expected = named[cell["result"]][row["hidden"].index(test["name"])]
            found = letter.get(test["status"], test["status"])
            same += expected == found
            if expected != found:
                differ.append(f"{cell['result']} {test['name']}: {expected} stored, {found} in the race")
    events = [json.loads(line) for line in
              world.run(world.hydra, "watch", results["race"], "--json", cwd=world.root / "home",
                        check=False).stdout.splitlines() if line.startswith("{")]
    subjects = {run["subject"] for e in events if e.get("event") == "cross_planned" for run in e["plan"]["runs"]}
    return {"winner": results["winner"], "same": same, "differ": differ, "text": text,
            "base": cost_of(events, {"@baseline"}), "cross": cost_of(events, subjects)}
