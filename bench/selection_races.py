"""Races for bench/selection, drawn with a fixed seed from mined instances (selection_mine.py).

How many of four agents are right, that wrong ones repeat each other, and what kinds of tests people and agents write
follows published runs; how each test comes out on each result was measured, but for tests that nobody has written:
over-specified ones and those that expect what wrong code does.
"""

import random

AGENTS = 4
RIGHT = (0.33, 0.5)  # beta: of races of four 40 % hold no right result, 39 % are mixed, 40 % of all results are right
ALIKE = 0.3          # a wrong result behaves like another wrong one
SILENT = 0.25        # agents that write no tests
WHOLE = 0.15         # agents that write all of the commit's tests that their own code passes
WEAK, OVER, VIEW = 0.3, 0.15, 0.1  # of the tests of all others: pass on the base, fit one's own code alone, or are wrong
TESTER_RIGHT = 0.63  # tests of a test writer that are right: published generators


class Race:
    def __init__(self, instance, chance):
        self.instance, self.chance = instance, chance
        self.tests = instance["hidden"]
        self.base = instance["base_hidden"]
        self.candidates = instance["results"]
        self.pools = {right: [c for c in self.candidates if c["right"] == right] for right in (True, False)}
        self.agents = []  # (name, candidate)

    def draw_results(self):
        rate = self.chance.betavariate(*RIGHT)
        for i in range(AGENTS):
            right = self.chance.random() < rate
            wrong = [c for _, c in self.agents if not c["right"]]
            twin = not right and wrong and self.chance.random() < ALIKE
            self.agents.append((f"r{i}", self.chance.choice(wrong if twin else self.pools[right])))
        self.chance.shuffle(self.agents)

    def behaves(self, a, b):
        return a["hidden"] == b["hidden"] and a["suite"] == b["suite"]

    def measured(self, test):
        """Cells of one of the commit's tests: on the base, and by agent."""
        return self.base[test], {name: c["hidden"][test] for name, c in self.agents}

    def expects(self, view):
        """Cells of a test that expects what this wrong code does."""
        same = {name: "p" if self.behaves(c, view) else "f" for name, c in self.agents}
        as_base = view["hidden"] == self.base and "p" * len(view["suite"]) == view["suite"]
        return "p" if as_base else "f", same

    def drawn_test(self, author, own):
        passed = [t for t in range(len(self.tests)) if own["hidden"][t] == "p"]
        failed = not own["right"]
        roll = self.chance.random()
        if roll < WEAK:
            return "p", {name: "p" for name, _ in self.agents}
        if roll < WEAK + OVER:
            return "f", {name: "p" if name == author else "f" for name, _ in self.agents}
        if failed and roll < WEAK + OVER + VIEW:
            return self.expects(own)
        return self.measured(self.chance.choice(passed)) if passed else None

    def tests_of_agent(self, author, own):
        roll = self.chance.random()
        if roll < SILENT:
            return []
        if roll < SILENT + WHOLE:
            found = [self.measured(t) for t in range(len(self.tests)) if own["hidden"][t] == "p"]
            wrong_view = not own["right"] and self.chance.random() < VIEW
            return found + [self.expects(own)] if wrong_view else found
        drawn = [self.drawn_test(author, own) for _ in range(self.chance.randint(1, 4))]
        return [t for i, t in enumerate(drawn) if t and t not in drawn[:i]]

    def tests_of_tester(self):
        new = [t for t in range(len(self.tests)) if self.base[t] != "p"]
        out = []
        for _ in range(self.chance.randint(1, 4)):
            roll = self.chance.random()
            if roll < TESTER_RIGHT:
                out.append(self.measured(self.chance.choice(new)))
            elif roll < (1 + TESTER_RIGHT) / 2 and self.pools[False]:
                out.append(self.expects(self.chance.choice(self.pools[False])))
            else:
                out.append(("f", {name: "f" for name, _ in self.agents}))
        return [t for i, t in enumerate(out) if t not in out[:i]]

    def author(self, name, members, tests):
        word = {"p": "pass", "f": "fail", "n": "no_contact"}
        cells = {who: [word[row[who]] for _, row in tests] for who, _ in self.agents}
        cells["@baseline"] = [word[base] for base, _ in tests]
        return {"author": name, "members": members, "tests": [f"{name} {i}" for i in range(len(tests))], "cells": cells}

    def row(self, testers):
        word = {"p": "pass", "f": "fail", "n": "fail"}
        suite = lambda letters: {n: word[l] for n, l in zip(self.instance["suite"], letters) if l != "n"}
        authors, results = [], []
        for name, own in self.agents:
            tests = self.tests_of_agent(name, own)
            if tests:
                authors.append(self.author(name, [name], tests))
            results.append({"result": name, "code": name, "seconds": round(self.chance.lognormvariate(5, 0.6), 1),
                            "lines": own["lines"], "files": own["files"], "test_lines": 8 * len(tests),
                            "suite": suite(own["suite"]), "right": own["right"]})
        for i in range(testers):
            authors.append(self.author(f"tester{i}", [], self.tests_of_tester()))
        return {"others": self.instance["others"], "base": {n: "pass" for n in self.instance["suite"]},
                "authors": authors, "results": results}


def races_of(instance, number, testers, seed=1):
    chance = random.Random(f"{seed} {instance['commit']} {testers}")
    for _ in range(number):
        race = Race(instance, chance)
        race.draw_results()
        yield race.row(testers)
