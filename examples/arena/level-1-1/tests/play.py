"""Plays ten episodes with a policy and reports them: exit code 0 if one of them reaches the end of the level."""
import json
import random
import subprocess
import sys

LENGTH, STEPS, EPISODES = 200, 150, 10


def pits_of(episode):
    """Returns (begin, width) of each pit; the same for every policy."""
    numbers, begin, pits = random.Random(episode), 12, []
    while begin < LENGTH - 12:
        width = numbers.randint(1, 3)
        pits.append((begin, width))
        begin += width + numbers.randint(8, 20)
    return pits


def play(policy, episode):
    x = steps = coins = 0
    alive = True
    pits = pits_of(episode)
    process = subprocess.Popen([sys.executable, policy], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        while alive and x < LENGTH and steps < STEPS:
            begin, width = next((pit for pit in pits if pit[0] > x), (x - 1, 0))
            process.stdin.write(f"{x} {begin - x} {width}\n")
            process.stdin.flush()
            before, x = x, x + {"right": 1, "jump": 4}.get(process.stdout.readline().strip(), 0)
            steps += 1
            coins += x // 10 - before // 10
            alive = not any(begin <= x < begin + width for begin, width in pits)
    except OSError:
        alive = False  # the policy has ended
    finally:
        process.kill()
    completed = alive and x >= LENGTH
    return {"world": 1, "stage": 1, "max_x": min(x, LENGTH), "total_steps": steps, "coins": coins,
            "time_remaining": STEPS - steps if completed else 0, "completed": completed}


played = [play(sys.argv[1], episode) for episode in range(EPISODES)]
with open(sys.argv[2], "w") as report:
    for one in played:
        report.write(json.dumps(one) + "\n")
best = max(one["max_x"] for one in played)
completed = sum(one["completed"] for one in played)
print(f"{completed} of {EPISODES} episodes completed, furthest x {best}")
sys.exit(0 if completed else 1)
