#!/usr/bin/env python3
"""The events of one real race under so many names more, and its place in the history, as that many races would have left them.

  bench/copy_race.py DATABASE RACE NUMBER        (no daemon runs on it)
"""
import sys
from store import connect
store, race, n = connect(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def rest(table, *without):
    return ", ".join(row[1] for row in store.execute(f"PRAGMA table_info({table})") if row[1] not in without)
races, history, attempts = rest("races", "id", "created_ms", "task"), rest("history_races", "number", "race", "through"), rest("history_attempts", "race")
(known,) = store.execute("SELECT number FROM history_races WHERE race = ?", (race,)).fetchone()
with store:
    for i in range(n):
        name = "r%09d" % i
        store.execute(f"INSERT INTO races (id, created_ms, task, {races}) SELECT ?, created_ms - ?, ?, {races} FROM races WHERE id = ?", (name, (i + 1) * 60000, f"task number {i}: make it better", race))
        store.execute("INSERT INTO events (race, at_ms, kind, body) SELECT ?, at_ms, kind, body FROM events WHERE race = ? AND kind IN ('race_created', 'scoring_result', 'race_ended') ORDER BY id", (name, race))
        (through,) = store.execute("SELECT max(id) FROM events").fetchone()
        number = store.execute(f"INSERT INTO history_races (race, through, {history}) SELECT ?, ?, {history} FROM history_races WHERE race = ?", (name, through, race)).lastrowid
        store.execute(f"INSERT INTO history_attempts (race, {attempts}) SELECT ?, {attempts} FROM history_attempts WHERE race = ?", (number, known))
store.close()
