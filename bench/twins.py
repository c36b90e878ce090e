#!/usr/bin/env python3
"""False alarms of twins on real commits: each commit is taken for an honest result on top of its parent.

twins.py TOOL GIT_DIR RUNNER [COMMITS [SKIP]]

TOOL is the target twin_text of the build, RUNNER one of those below. The parent's tests run on both, as they
are and with other expected values. An alarm is a test that passes both ways on the commit while its twin fails
on the parent. Prints one line a commit and a sum: how many of the parent's passing tests have a twin that
fails, and CPU seconds of both kinds of runs. Only what is tracked is there: no installed packages.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RUNNERS = {
    "pytest": (["/usr/bin/python3", "-m", "pytest", "-v", "-p", "no:cacheprovider"],
               r"^(\S+::.+?) (PASSED|FAILED|ERROR)", r"(^|/)(test_[^/]*|[^/]*_test)\.py$|(^|/)tests?/.*\.py$"),
    "go": (["go", "test", "-v", "./..."], r"^\s*--- (PASS|FAIL): (\S+)", r"_test\.go$"),
    "node": (["node", "--test"], r"^\s*(?:ok|not ok) \d+ - (.*)$", r"(^|/)tests?/.*\.[cm]?js$|\.test\.[cm]?js$"),
}


def git(repository, *words):
    return subprocess.run(["git", "--git-dir", repository, *words], check=True, capture_output=True).stdout


def run(runner, directory):
    command, pattern, _ = RUNNERS[runner]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
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
        if runner == "node" and line.lstrip().startswith("ok"):
            passed.add(found[1])
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def tree(repository, commit, directory):
    archive = git(repository, "archive", commit)
    subprocess.run(["tar", "-x", "-C", directory], input=archive, check=True)


def twins(tool, directory, paths, texts, seed):
    changed = 0
    for path in paths:
        made = subprocess.run([tool, "twin", path, str(seed)], input=texts[path], capture_output=True)
        if made.returncode == 0 and made.stderr.strip() not in (b"", b"0"):
            (Path(directory) / path).write_bytes(made.stdout)
            changed += 1
    return changed


def main(tool, repository, runner, commits=20, skip=0):
    tests = re.compile(RUNNERS[runner][2])
    log = git(repository, "log", "--no-merges", "--format=%H %P", "HEAD").decode().split("\n")
    sums = {"commits": 0, "alarms": 0, "passing": 0, "twinned": 0, "plain": 0.0, "twins": 0.0}
    for line in log[int(skip):]:
        if sums["commits"] == int(commits):
            break
        words = line.split()
        if len(words) != 2:
            continue
        commit, parent = words
        files = git(repository, "diff", "--name-only", parent, commit).decode().splitlines()
        if not any(re.search(r"\.(py|go|[cm]?js)$", name) and not tests.search(name) for name in files):
            continue
        paths = [p for p in git(repository, "ls-tree", "-r", "--name-only", parent).decode().splitlines()
                 if tests.search(p)]
        texts = {p: git(repository, "show", f"{parent}:{p}") for p in paths}
        passed = {}
        for of in (parent, commit):
            with tempfile.TemporaryDirectory() as directory:
                tree(repository, of, directory)
                for path in paths:
                    (Path(directory) / path).parent.mkdir(parents=True, exist_ok=True)
                    (Path(directory) / path).write_bytes(texts[path])
                plain, cpu = run(runner, directory)
                sums["plain"] += cpu
                twins(tool, directory, paths, texts, 1 + sums["commits"] % 8)
                twin, cpu = run(runner, directory)
                sums["twins"] += cpu
                passed[of] = plain, twin
        (base, base_twin), (own, own_twin) = passed[parent], passed[commit]
        telling = base - base_twin
        alarms = sorted(own & own_twin & telling)
        sums["commits"] += 1
        sums["alarms"] += bool(alarms)
        sums["passing"] += len(base)
        sums["twinned"] += len(telling)
        print(commit[:10], len(base), len(telling), alarms[:5], flush=True)
    print(sums)


if __name__ == "__main__":
    main(*sys.argv[1:])
