cat > /app/policy.py << 'END'
import sys

for line in sys.stdin:
    _, distance, width = map(int, line.split())
    lands_in_pit = distance >= 0 and distance <= 4 < distance + width
    print("right" if lands_in_pit else "jump", flush=True)
END
