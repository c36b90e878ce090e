"""What comes after the first run, or ends it early, with the real CLIs: a resumed session, a budget, the stall clock,
automatic retries. real_agents.py calls these after its scenarios."""
import json

MESSAGE = "Go on and make add() in calc.py add, so that the tests pass."
LIMITS = '\n[limits]\nper_provider = 0\n'



def line(topic, agent, row):
    seen = f"{row['state'] if row['outcome'] == 'completed' else row['outcome']}/{row['error_class']}"
    print(f"  {topic:<10} {agent:<9} {seen:<22} {row['duration_seconds']:6.1f} s  stopped {row.get('stopped')}"
          f"  attempt {row['attempt']}  tokens {json.dumps(row['tokens'])}  {row['message'][:100]}")
    return seen


def rows(results, agents, topic, report):
    by_name = {row["agent"]: row for row in (results or {"agents": []})["agents"]}
    for agent in agents:
        if agent in by_name:
            yield agent, by_name[agent]
        else:
            report.fail(f"{topic}/{agent}: not in the results")


def with_limits(box, text):
    """The project's own limits for the next races."""
    path = box.root / "repo" / "hydra.toml"
    path.write_text(path.read_text().split("\n[limits]")[0] + "\n" + (LIMITS + text if text else ""))


def resumed(box, agents, expected_usage, report):
    """The first run changes nothing; `hydra retry` goes on with its session, and adds its own calls to what
    the first one used, nothing twice."""
    first = box.race(agents, "resume", "180s")
    for agent, row in rows(first, agents, "resume", report):
        if row["state"] != "no_changes":
            report.fail(f"resume/{agent}: the first run was {row['outcome']}, {row['state']}: {row['message']}")
            continue
        before = len(box.calls(agent))
        done = box.hydra(["retry", agent, "--message", MESSAGE, "--json"], "resume")
        results = box.hydra(["results", "--json"], "resume")
        again = next((r for r in json.loads(results.stdout)["agents"] if r["agent"] == agent), None)
        if again is None or again["attempt"] != 2:
            report.fail(f"resume/{agent}: no second attempt: {done.stdout[-500:]} {done.stderr[-500:]}")
            continue
        seen = line("resume", agent, again)
        report.rows.append(("resume", agent, seen, again["duration_seconds"]))
        if seen != "completed/":
            report.fail(f"resume/{agent}: {seen}: {again['message']}")
        calls = [c for c in box.calls(agent)[before:] if c["main"]]
        if not calls or not all(c["resumed"] for c in calls):
            report.fail(f"resume/{agent}: its conversation did not go on: {calls}")
        want = expected_usage(box, agent)
        have = {key: again["tokens"].get(key) for key in want}
        if have != want:
            report.fail(f"resume/{agent}: usage {have}, the endpoint reported {want}")


def ended_early(box, agents, report):
    """A budget in tokens ends a loop, the stall clock ends a stall, long before the time limit."""
    with_limits(box, "budget_tokens = 6000\n")
    for agent, row in rows(box.race(agents, "loop", "120s"), agents, "budget", report):
        seen = line("budget", agent, row)
        report.rows.append(("budget", agent, seen, row["duration_seconds"]))
        if agent == "gemini":  # it says what it used at its end only, and has a loop detector of its own
            continue
        if seen.split("/")[0] != "over_budget" or row.get("stopped") != "budget":
            report.fail(f"budget/{agent}: {seen} stopped by {row.get('stopped')}")
    with_limits(box, "idle_timeout = 20\n")
    for agent, row in rows(box.race(agents, "stall", "150s"), agents, "idle", report):
        seen = line("idle", agent, row)
        report.rows.append(("idle", agent, seen, row["duration_seconds"]))
        if seen.split("/")[0] != "timed_out" or row.get("stopped") != "idle":
            report.fail(f"idle/{agent}: {seen} stopped by {row.get('stopped')}")
    with_limits(box, "")


def retried(box, agents, report):
    """One automatic retry after the provider's error, and its reason kept."""
    with_limits(box, "retries = 1\nretry_delay_seconds = 1\n")
    for agent, row in rows(box.race(agents, "cut", "150s"), agents, "retries", report):
        seen = line("retries", agent, row)
        report.rows.append(("retries", agent, seen, row["duration_seconds"]))
        earlier = [a["error_class"] for a in row["earlier_attempts"]]
        if seen != "failed/provider" or row["attempt"] != 2 or earlier != ["provider"]:
            report.fail(f"retries/{agent}: {seen}, attempt {row['attempt']}, before it {earlier}")
    with_limits(box, "")


def all_of_them(box, agents, expected_usage, report):
    resumed(box, agents, expected_usage, report)
    ended_early(box, agents, report)
    retried(box, agents, report)
    survivors = box.survivors()
    if survivors:
        report.fail(f"after retries: left processes: {survivors}")
