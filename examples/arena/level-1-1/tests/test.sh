mkdir -p /logs/verifier
exec python3 /tests/play.py /app/policy.py /logs/verifier/episodes.jsonl
