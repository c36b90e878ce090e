#!/usr/bin/env python3
"""False alarms of twins on real commits: each commit is taken for an honest result on top of its parent.

twins.py TOOL GIT_DIR RUNNER [COMMITS [SKIP]]

TOOL is the target twin_text of the build, RUNNER one of those below. The parent's tests run on both, as they
are, with other expected values, and as moved copies. An alarm is a test that passes both ways on the commit
while its twin fails on the parent ("deaf"), or one whose copy fails on the commit, twice, and passes on the
parent ("known"). Prints one line a commit and a sum as JSON: of the parent's passing tests those whose twin
fails ("twinned"), those whose twin is not come to since it does not build or load ("not_come_to"), and CPU
seconds of the three kinds of runs. Commits whose parent passes nothing, or one of whose runs takes longer than
ten minutes, are left out. Only what is tracked is there: $TWINS_PREPARE is a shell command that runs in each
tree first, $TWINS_MODULES a node_modules directory.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

COPY_MARK = "_q[0-9a-f]{8}"  # of lib/source/twin_copy.cpp
TAP = r"^\s*(?P<verdict>ok|not ok) \d+ (?:- )?(?P<name>.*)$"
RUNNERS = {  # command, what a line says of a test, which files are tests
    "pytest": (["/usr/bin/python3", "-m", "pytest", "-v", "-p", "no:cacheprovider", "--tb=line"],
               r"^(?P<name>\S+::.+?) (?P<verdict>PASSED|FAILED|ERROR)",
               r"(^|/)(test_[^/]*|[^/]*_test)\.py$|(^|/)tests?/.*\.py$"),
    "go": (["go", "test", "-v", "./..."], r"^\s*--- (?P<verdict>PASS|FAIL): (?P<name>\S+)", r"_test\.go$"),
    "cargo": (["cargo", "test", "--offline", "--no-fail-fast"],
              r"^test (?P<name>\S+) \.\.\. (?P<verdict>ok|FAILED)", r"^tests/.*\.rs$"),
    "mocha": (["node", "node_modules/.bin/mocha", "--reporter", "tap", "--recursive", "test"], TAP,
              r"(^|/)tests?/.*\.[cm]?js$"),
    "node": (["node", "--test"], TAP, r"(^|/)tests?/.*\.[cm]?js$|\.test\.[cm]?js$"),
    "prove": (["prove", "-l", "-v", "t"], TAP, r"^t/.*\.t$"),
    "bats": (["bats", "--tap", "test"], TAP, r"\.bats$"),
    "ctest": (["sh", "-c", "cmake -S . -B build && cmake --build build; ctest --test-dir build"],
              r"^\s*\d+/\d+ Test\s+#\d+: (?P<name>\S+) \.+(?:\*\*\*)?\s*(?P<verdict>\w+)",
              r"^tests?/.*\.(c|cc|cpp)$"),
}
PASSING = {"PASSED", "PASS", "ok", "Passed"}


def git(repository, *words):
    return subprocess.run(["git", "--git-dir", repository, *words], check=True, capture_output=True).stdout


def run(runner, directory):
    """Names that pass, names that are told at all, CPU seconds; None: it took too long."""
    command, pattern, _ = RUNNERS[runner]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = dict(os.environ, PYTHONPATH=f"{directory}:{directory}/src", PYTHONDONTWRITEBYTECODE="1")
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(command, cwd=directory, env=environment, stdout=log, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        try:
            child.wait(timeout=600)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return None
        log.seek(0)
        text = log.read().decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    passed, told = set(), set()
    for line in text.splitlines():
        found = re.match(pattern, line)
        if not found:
            continue
        told.add(found["name"])
        if found["verdict"] in PASSING:
            passed.add(found["name"])
    return passed, told, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tree(repository, commit, directory):
    archive = git(repository, "archive", commit)
    subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)
    if "TWINS_MODULES" in os.environ:
        modules = Path(directory) / "node_modules"
        if not modules.exists():
            modules.symlink_to(os.environ["TWINS_MODULES"])
    if "TWINS_PREPARE" in os.environ:
        subprocess.run(["sh", "-c", os.environ["TWINS_PREPARE"]], cwd=directory, check=False)


def change(tool, kind, directory, paths, texts, seed):
    """Writes the tests as they are ("plain"), as twins, or as moved copies."""
    for path in paths:
        text = texts[path]
        if kind != "plain":
            made = subprocess.run([tool, kind, path, str(seed)], input=text, capture_output=True)
            text = made.stdout if made.returncode == 0 else text
        (Path(directory) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(directory) / path).write_bytes(text)


def runs_of(tool, repository, runner, commit, paths, texts, seed, cpu):
    """(passed, told) for each kind of run, a copy's under the names of the plain ones; None: too slow."""
    runs = {}
    with tempfile.TemporaryDirectory() as directory:
        tree(repository, commit, directory)
        for kind in ("plain", "twin", "copy"):
            change(tool, kind, directory, paths, texts, seed)
            done = run(runner, directory)
            if done is None or (kind == "plain" and not done[0]):
                return None
            passed, told, used = done
            cpu[kind] += used
            if kind == "copy" and runs["plain"][0] - {re.sub(COPY_MARK, "", name) for name in passed}:
                again = run(runner, directory)
                passed |= again[0] if again else set()
            runs[kind] = [{re.sub(COPY_MARK, "", name) for name in names} for names in (passed, told)]
    return runs


def main(tool, repository, runner, commits=20, skip=0):
    tests = re.compile(RUNNERS[runner][2])
    log = git(repository, "log", "--no-merges", "--format=%H %P", "HEAD").decode().split("\n")
    sums = {"commits": 0, "left_out": 0, "deaf": 0, "known": 0, "passing": 0, "twinned": 0, "not_come_to": 0,
            "copied": 0}
    cpu = {"plain": 0.0, "twin": 0.0, "copy": 0.0}
    for line in log[int(skip):]:
        if sums["commits"] == int(commits):
            break
        words = line.split()
        if len(words) != 2:
            continue
        commit, parent = words
        files = git(repository, "diff", "--name-only", parent, commit).decode().splitlines()
        if not any(re.search(r"\.(py|go|rs|[cm]?js|pm|c|cc|h|hpp|cpp|sh|bash)$", name) and not tests.search(name) for name in files):
            continue
        paths = [p for p in git(repository, "ls-tree", "-r", "--name-only", parent).decode().splitlines()
                 if tests.search(p)]
        texts = {p: git(repository, "show", f"{parent}:{p}") for p in paths}
        seed = 1 + sums["commits"] % 8
        runs = []
        used = {kind: 0.0 for kind in cpu}
        for of in (parent, commit):
            runs.append(runs_of(tool, repository, runner, of, paths, texts, seed, used))
            if runs[-1] is None:
                break
        if runs[-1] is None:
            sums["left_out"] += 1
            if sums["left_out"] > 2 * int(commits):
                break
            continue
        for kind, seconds in used.items():
            cpu[kind] += seconds
        base, own = ({kind: passed for kind, (passed, told) in each.items()} for each in runs)
        missing = base["plain"] - runs[0]["twin"][1]
        telling = base["plain"] - base["twin"] - missing
        deaf = sorted(own["plain"] & own["twin"] & (telling | missing))
        known = sorted((own["plain"] - own["copy"]) & base["plain"] & base["copy"])
        for key, value in (("commits", 1), ("deaf", bool(deaf)), ("known", bool(known)),
                           ("passing", len(base["plain"])), ("twinned", len(telling)),
                           ("not_come_to", len(missing)),
                           ("copied", len(base["plain"] & base["copy"]))):
            sums[key] += value
        print(commit[:10], len(base["plain"]), len(telling), len(missing), deaf[:5], known[:5], flush=True)
    print(json.dumps({"repository": repository, "runner": runner, **sums,
                      "cpu_seconds": {kind: round(used, 1) for kind, used in cpu.items()}}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
