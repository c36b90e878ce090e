"""Instances for bench/selection out of real histories: commits that change source and tests together.

The true change and wrong ones made of it (parts of it left out, parts of it alone, mutants of its lines) run the
base's tests and the commit's own. What passes all of the commit's is right. Kept are names and outcomes, no code.
"""

import difflib
import io
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import tarfile
import tempfile

CPU_SECONDS = 30    # of one process of a run: what loops comes to no end, on a busy machine as on an idle one
RUN_SECONDS = 600   # of a run: what waits for ever
MOST_CHANGED = 120  # lines of source that a commit may change
PARTS = 6           # candidates by partial application, at most; mutants are the rest
MOST_APART = 50     # tests that run by themselves after one ended the process, as in the product

LANGUAGES = {
    ".py": {
        "test": lambda name: name.startswith("test_") or name.endswith("_test.py"),
        "command": lambda files, names: ["python3", "-m", "pytest", "-v", "-o", "addopts=", "-p", "no:cacheprovider",
                                         *files],
    },
    ".go": {
        "test": lambda name: name.endswith("_test.go"),
        "command": lambda files, names: ["go", "test", "-vet=off", "-ldflags=-s -w", "-v",
                                         *(["-run", f"^({'|'.join(names)})$"] if names else []),
                                         *sorted({"./" + os.path.dirname(file) for file in files})],
    },
}


def test_functions(texts):
    """Names of Go's tests, examples and fuzz tests in these files."""
    return sorted({name for text in texts for name in re.findall(r"^func ((?:Test|Example|Fuzz)\w*)", text or "", re.M)})


def git(repository, *arguments, text=True):
    return subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True, text=text).stdout


def is_test(path, language):
    parts = path.split("/")
    return LANGUAGES[language]["test"](parts[-1]) or any(part in ("test", "tests", "testdata") for part in parts[:-1])


def commits_of(repository, language):
    """(commit, source files, test files), newest first, of commits that are small enough."""
    log = git(repository, "log", "--no-merges", "--no-renames", "--format=@%H", "--numstat", "-n", "1500")
    for block in log.split("@")[1:]:
        commit, *rows = [line for line in block.splitlines() if line]
        changes = [row.split("\t") for row in rows]
        if any(len(row) != 3 or row[0] == "-" for row in changes):
            continue
        code = [row for row in changes if row[2].endswith(language) and not is_test(row[2], language)]
        tests = [row[2] for row in changes if is_test(row[2], language)]
        lines = sum(int(row[0]) + int(row[1]) for row in code)
        if 0 < len(code) <= 3 and 1 < lines <= MOST_CHANGED and any(t.endswith(language) for t in tests):
            yield commit, [row[2] for row in code], tests


def texts_of(repository, commit, paths):
    """By path; None where the commit has no such file."""
    out = {}
    for path in paths:
        shown = subprocess.run(["git", "-C", repository, "show", f"{commit}:{path}"], capture_output=True)
        out[path] = None if shown.returncode else shown.stdout.decode("utf-8", "surrogateescape")
    return out


def lines_of(text):
    return (text or "").splitlines(keepends=True)


def blocks_of(old, new):
    return [op for op in difflib.SequenceMatcher(None, lines_of(old), lines_of(new), autojunk=False).get_opcodes()]


def applied(old, new, wanted):
    """`old` with those blocks of the change to `new` whose number is wanted."""
    out, number = [], 0
    for tag, a, b, c, d in blocks_of(old, new):
        take = tag == "equal" or number in wanted
        out += lines_of(new)[c:d] if take else lines_of(old)[a:b]
        number += tag != "equal"
    return "".join(out)


class Instance:
    def __init__(self, tool, repository, language, commit, code, tests):
        self.tool, self.language, self.commit = tool, language, commit
        self.base = git(repository, "rev-parse", commit + "^").strip()
        self.old, self.new = texts_of(repository, self.base, code), texts_of(repository, commit, code)
        self.old_tests, self.new_tests = (texts_of(repository, c, tests) for c in (self.base, commit))
        self.work = tempfile.TemporaryDirectory(prefix="hydra-selection-")
        self.root = pathlib.Path(self.work.name)
        with tarfile.open(fileobj=io.BytesIO(git(repository, "archive", self.base, text=False))) as archive:
            archive.extractall(self.root)

    def put(self, texts):
        for path, text in texts.items():
            at = self.root / path
            if text is None:
                at.unlink(missing_ok=True)
                continue
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(text.encode("utf-8", "surrogateescape"))

    def outcomes(self, files, names=()):
        """What one run of these files says, as the product reads it; None: it comes to no end."""
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "GO111MODULE": "auto",
                       "CGO_ENABLED": "0", "PYTHONPATH": f"{self.root}:{self.root}/src"}
        try:
            ran = subprocess.run(LANGUAGES[self.language]["command"](files, names), cwd=self.root, env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=RUN_SECONDS,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5)))
        except subprocess.TimeoutExpired:
            return None
        if ran.returncode == -signal.SIGXCPU or b"signal: CPU time limit exceeded" in ran.stdout:
            return None
        read = subprocess.run([self.tool, "read", str(ran.returncode), *files], input=ran.stdout, check=True,
                              capture_output=True)
        return json.loads(read.stdout)

    def runnable(self, paths):
        return [path for path in paths if path.endswith(self.language) and (self.root / path).exists() and
                LANGUAGES[self.language]["test"](path.split("/")[-1])]

    def run(self, tests):
        """Of an author's test files: outcomes by name; None: they do not build, or come to no end."""
        self.put(tests)
        files = self.runnable(tests)
        if not files:
            return {}
        names = test_functions(tests[path] for path in files) if self.language == ".go" else []
        report = self.outcomes(files, names)
        if report is None or (report["outcome"] == "build_failed" and not report["tests"]):
            return None
        found = report["tests"]
        # A panic ends the binary, and the product runs each test by itself then.
        missing = [n for n in names if not any(known.rsplit(" > ", 1)[-1].split("/")[0] == n for known in found)]
        for name in missing[:MOST_APART]:
            found.update((self.outcomes(files, [name]) or {"tests": {}})["tests"])
        return found

    def run_suite(self):
        """Of the base's tests in the change's test files; in Go, of its packages, whoever wrote the files."""
        self.put(self.old_tests)
        files = self.runnable(self.old_tests)
        if self.language == ".go":
            places = {os.path.dirname(path) for path in [*self.old, *self.old_tests]}
            files = self.runnable(os.path.join(place, name) for place in sorted(places) if (self.root / place).is_dir()
                                  for name in sorted(os.listdir(self.root / place)))
        if not files:
            return {}
        report = self.outcomes(files)
        return None if report is None or (report["outcome"] == "build_failed" and not report["tests"]) else report["tests"]

    def measure(self, sources):
        """(outcomes of the base's tests, of the commit's own)"""
        self.put(sources)
        return self.run_suite(), self.run(self.new_tests)

    def compiles(self, sources):
        if self.language == ".go":
            self.put(sources)
            built = subprocess.run(["go", "build", "./..."], cwd=self.root, capture_output=True,
                                   env={**os.environ, "GO111MODULE": "auto", "CGO_ENABLED": "0"})
            return built.returncode == 0
        try:
            for path, text in sources.items():
                compile(text or "", path, "exec")
        except (SyntaxError, ValueError):
            return False
        return True

    def parts(self):
        places = [(path, i) for path in self.new for i in
                  range(sum(op[0] != "equal" for op in blocks_of(self.old[path], self.new[path])))]
        if len(places) < 2 or None in self.old.values() or None in self.new.values():
            return []
        choices = [("without", p, [q for q in places if q != p]) for p in places]
        choices += [("only", p, [p]) for p in places if len(places) > 2]
        return [(f"{word} block {i + 1} of {path}",
                 {p: applied(self.old[p], self.new[p], {k for q, k in wanted if q == p}) for p in self.new})
                for word, (path, i), wanted in choices]

    def mutants(self, most):
        found = []
        for path, text in self.new.items():
            lines = [str(n + 1) for tag, _, _, c, d in blocks_of(self.old[path], text) if tag != "equal"
                     for n in range(c, d)]
            if text is None or not lines:
                continue
            made = subprocess.run([self.tool, "mutants", path, str(most), ",".join(lines)], check=True,
                                  input=text.encode("utf-8", "surrogateescape"), capture_output=True).stdout
            for mutant in map(json.loads, made.splitlines()):
                found.append((f"{path}:{mutant['line']}: {mutant['change']}", {**self.new, path: mutant["text"]}))
        return found

    def size(self, sources):
        return sum(max(b - a, d - c) for path in sources
                   for tag, a, b, c, d in blocks_of(self.old[path], sources[path]) if tag != "equal")

    def candidates(self, most):
        chance = random.Random(self.commit)
        parts, mutants = self.parts(), self.mutants(most)
        chance.shuffle(parts)
        chance.shuffle(mutants)
        seen = [self.old, self.new]
        for what, sources in parts[:PARTS] + mutants:
            if sources not in seen and self.compiles(sources):
                seen.append(sources)
                yield what, sources


def look(instance, most):
    """The instance as a row for races; a text: why it is none."""
    true_suite, true_hidden = instance.measure(instance.new)
    if not true_hidden or true_suite is None:
        return "its own tests do not run"
    again = instance.run(instance.new_tests)
    hidden = sorted(n for n, o in true_hidden.items() if o == "pass" and (again or {}).get(n) == "pass")
    base_suite, base_hidden = instance.measure(instance.old)
    if base_suite is None:
        return "its base does not run"
    base_hidden = base_hidden or {}
    # As with authors in a race: a test that the base has is nobody's, unless it comes out otherwise there now.
    new = [n for n in hidden if n not in base_suite or base_hidden.get(n, base_suite[n]) != base_suite[n]]
    if all(base_hidden.get(n) == "pass" for n in new):
        return "no test fails before"
    rows = [("the true change", instance.new, true_suite, true_hidden)]
    for what, sources in instance.candidates(most):
        if len(rows) > most:
            break
        suite, own = instance.measure(sources)
        if suite is not None and (suite or not base_suite):
            rows.append((what, sources, suite, own or {}))
    suite_names = sorted(n for n, o in base_suite.items() if o == "pass")
    moved = [n for n in suite_names if any(r[2].get(n) != "pass" for r in rows)]
    kept = [n for n in new if any(r[3].get(n) != "pass" for r in rows) or base_hidden.get(n) != "pass"]
    letter = {"pass": "p", "fail": "f", "no_contact": "n", None: "n"}
    row = lambda outcomes, names: "".join(letter[outcomes.get(n)] for n in names)
    results = [{"what": what, "lines": instance.size(sources), "files": len(sources), "suite": row(suite, moved),
                "hidden": row(own, kept), "right": all(own.get(n) == "pass" for n in hidden)}
               for what, sources, suite, own in rows]
    if all(r["right"] for r in results):
        return "no wrong candidate"
    return {"commit": instance.commit, "base": instance.base, "files": sorted([*instance.new, *instance.new_tests]),
            "others": len(suite_names) - len(moved), "suite": moved, "hidden": kept,
            "base_hidden": row(base_hidden, kept), "breaks": "f" in results[0]["suite"] or "n" in results[0]["suite"], "results": results}


def mine(tool, repository, wanted, most, say, keep, known=frozenset()):
    """Gives the rows of one repository, a directory, to keep(); commits that are known count."""
    files = git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    language = max(LANGUAGES, key=lambda l: sum(f.endswith(l) for f in files))
    found, tried = 0, 0
    for commit, code, tests in commits_of(repository, language):
        if found >= wanted or tried >= 6 * wanted:
            break
        tried += 1
        if commit in known:
            found += 1
            continue
        row = look(Instance(tool, repository, language, commit, code, tests), most)
        say(f"{commit[:10]}: " + (row if isinstance(row, str) else
            f"{len(row['results'])} candidates, {sum(r['right'] for r in row['results'])} right"))
        if not isinstance(row, str):
            found += 1
            keep({"language": language[1:], **row})
