#!/usr/bin/env python3
"""False alarms of twins on real commits: each commit is taken for an honest result on top of its parent.

twins.py TOOL GIT_DIR RUNNER [COMMITS [SKIP]]

TOOL is the target twin_text of the build, RUNNER one of those below. The parent's tests run on both, as they
are, with other expected values, and as moved copies. An alarm is a test that passes both ways on the commit
while its twin fails on the parent ("deaf"), or one whose copy fails on the commit, twice, and passes on the
parent ("known"). Prints one line a commit and a sum as JSON: how many of the parent's passing tests have a twin
that fails, and CPU seconds of the three kinds of runs. Only what is tracked is there: no installed packages but
Go's modules, and Mocha where $TWINS_NODE_MODULES names a directory that has it.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

COPY_MARK = "_q[0-9a-f]{8}"  # of lib/mutants/twin_copy.cpp
RUNNERS = {
    "pytest": (["/usr/bin/python3", "-m", "pytest", "-v", "-p", "no:cacheprovider"],
               r"^(\S+::.+?) (PASSED|FAILED|ERROR)", r"(^|/)(test_[^/]*|[^/]*_test)\.py$|(^|/)tests?/.*\.py$"),
    "go": (["go", "test", "-v", "./..."], r"^\s*--- (PASS|FAIL): (\S+)", r"_test\.go$"),
    "cargo": (["cargo", "test", "--offline", "--no-fail-fast"], r"^test (\S+) \.\.\. (ok|FAILED)",
              r"^tests/.*\.rs$"),
    "mocha": (["node", "node_modules/.bin/mocha", "--reporter", "tap", "--recursive", "test"],
              r"^\s*(?:ok|not ok) \d+ (.*)$", r"(^|/)tests?/.*\.[cm]?js$"),
    "node": (["node", "--test"], r"^\s*(?:ok|not ok) \d+ - (.*)$", r"(^|/)tests?/.*\.[cm]?js$|\.test\.[cm]?js$"),
}


def git(repository, *words):
    return subprocess.run(["git", "--git-dir", repository, *words], check=True, capture_output=True).stdout


def run(runner, directory):
    command, pattern, _ = RUNNERS[runner]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if runner == "mocha":
        modules = Path(directory) / "node_modules"
        if not modules.exists():
            modules.symlink_to(os.environ["TWINS_NODE_MODULES"])
    environment = dict(os.environ, PYTHONPATH=f"{directory}:{directory}/src", PYTHONDONTWRITEBYTECODE="1")
    try:
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True,
                              errors="replace", timeout=300)
        text = done.stdout
    except subprocess.TimeoutExpired:
        text = ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    passed = set()
    for line in text.splitlines():
        found = re.match(pattern, line)
        if not found:
            continue
        if runner == "pytest" and found[2] == "PASSED":
            passed.add(found[1])
        if runner == "go" and found[1] == "PASS":
            passed.add(found[2])
        if runner == "cargo" and found[2] == "ok":
            passed.add(found[1])
        if runner in ("node", "mocha") and line.lstrip().startswith("ok"):
            passed.add(found[1])
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tree(repository, commit, directory):
    archive = git(repository, "archive", commit)
    subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)


def change(tool, kind, directory, paths, texts, seed):
    """Writes the tests as they are ("plain"), as twins, or as moved copies."""
    for path in paths:
        text = texts[path]
        if kind != "plain":
            made = subprocess.run([tool, kind, path, str(seed)], input=text, capture_output=True)
            text = made.stdout if made.returncode == 0 else text
        (Path(directory) / path).parent.mkdir(parents=True, exist_ok=True)
        (Path(directory) / path).write_bytes(text)


def passed_by_kind(tool, repository, runner, commit, paths, texts, seed, cpu):
    """Which tests pass, for each kind of run; a copy's under the names of the plain ones."""
    passed = {}
    with tempfile.TemporaryDirectory() as directory:
        tree(repository, commit, directory)
        for kind in ("plain", "twin", "copy"):
            change(tool, kind, directory, paths, texts, seed)
            names, used = run(runner, directory)
            cpu[kind] += used
            if kind == "copy" and passed["plain"] - {re.sub(COPY_MARK, "", name) for name in names}:
                names |= run(runner, directory)[0]
            passed[kind] = {re.sub(COPY_MARK, "", name) for name in names}
    return passed


def main(tool, repository, runner, commits=20, skip=0):
    tests = re.compile(RUNNERS[runner][2])
    log = git(repository, "log", "--no-merges", "--format=%H %P", "HEAD").decode().split("\n")
    sums = {"commits": 0, "deaf": 0, "known": 0, "passing": 0, "twinned": 0, "copied": 0}
    cpu = {"plain": 0.0, "twin": 0.0, "copy": 0.0}
    for line in log[int(skip):]:
        if sums["commits"] == int(commits):
            break
        words = line.split()
        if len(words) != 2:
            continue
        commit, parent = words
        files = git(repository, "diff", "--name-only", parent, commit).decode().splitlines()
        if not any(re.search(r"\.(py|go|rs|[cm]?js)$", name) and not tests.search(name) for name in files):
            continue
        paths = [p for p in git(repository, "ls-tree", "-r", "--name-only", parent).decode().splitlines()
                 if tests.search(p)]
        texts = {p: git(repository, "show", f"{parent}:{p}") for p in paths}
        seed = 1 + sums["commits"] % 8
        base, own = (passed_by_kind(tool, repository, runner, of, paths, texts, seed, cpu)
                     for of in (parent, commit))
        telling = base["plain"] - base["twin"]
        deaf = sorted(own["plain"] & own["twin"] & telling)
        known = sorted((own["plain"] - own["copy"]) & base["plain"] & base["copy"])
        for key, value in (("commits", 1), ("deaf", bool(deaf)), ("known", bool(known)),
                           ("passing", len(base["plain"])), ("twinned", len(telling)),
                           ("copied", len(base["plain"] & base["copy"]))):
            sums[key] += value
        print(commit[:10], len(base["plain"]), len(telling), deaf[:5], known[:5], flush=True)
    print(json.dumps({"repository": repository, "runner": runner, **sums,
                      "cpu_seconds": {kind: round(used, 1) for kind, used in cpu.items()}}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
