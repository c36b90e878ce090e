"""As many runs and events as bench/simulation, folded by the plainest Python: a heap of what is due, a dictionary of
what each run has, and SQLite in groups of 500. No reducer, no JSON, no faults: what the language alone costs."""
import heapq
import json
import random
import resource
import sqlite3
import sys
import time

path, runs, window = sys.argv[1], int(sys.argv[2]), 2000
STEPS = ["workspace_ready", "agent_starting", "agent_ended", "captured", "subject_ready", "build", "tests", "lint"]
database = sqlite3.connect(path)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = NORMAL")
database.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, race TEXT, at_ms INTEGER, kind TEXT, body TEXT)")
chance = random.Random(1)
begin = time.time()
due, state, group, started, ended, events = [], {}, [], 0, 0, 0
while ended < runs:
    while len(state) < window and started < runs:
        state[started] = 0
        heapq.heappush(due, (chance.expovariate(1), started))
        started += 1
    at, run = heapq.heappop(due)
    group.append((f"race{run // 20}", int(at * 1000), STEPS[state[run]], '{"agent":"a%d"}' % run))
    events += 1
    state[run] += 1
    if state[run] == len(STEPS):
        del state[run]
        ended += 1
    else:
        heapq.heappush(due, (at + chance.lognormvariate(0, 0.8), run))
    if len(group) == 500:
        with database:
            database.executemany("INSERT INTO events (race, at_ms, kind, body) VALUES (?, ?, ?, ?)", group)
        group.clear()
took = time.time() - begin
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"what": "python fold", "runs": runs, "events": events, "seconds": round(took, 2),
                  "cpu_seconds": round(used.ru_utime + used.ru_stime, 2), "events_per_second": round(events / took),
                  "peak_mib": used.ru_maxrss // 1024}))
