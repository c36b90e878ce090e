import sys

for line in sys.stdin:
    print("right", flush=True)
