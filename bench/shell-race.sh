#!/usr/bin/env bash
# What a skilled user would write instead of Hydra: a worktree and a branch per agent, everything in parallel that git
# allows, checks with xargs, a score with awk. It has no sandbox, no captured evidence, no baseline, no recovery.
#
# usage: shell-race.sh REPOSITORY WORKDIR N AGENT BUILD TEST LINT     (the last four are `sh -c` command lines)
# Prints one line per agent, best first: name, score, build, test, lint, added, deleted, seconds.
set -euo pipefail

repository=$1 work=$2 n=$3
export AGENT=$4 BUILD=$5 TEST=$6 LINT=$7
export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=gc.auto GIT_CONFIG_VALUE_0=0
export GIT_CONFIG_KEY_1=advice.detachedHead GIT_CONFIG_VALUE_1=false
cd "$repository"
base=$(git rev-parse HEAD)
stamp=$(date +%s)
mkdir -p "$work"

# Parallel `git worktree add` is racy in git itself: the metadata goes first, one at a time.
for ((i = 1; i <= n; i++)); do
  git worktree add -q --no-checkout -b "shell/agent-$i-$stamp" "$work/agent-$i" "$base"
done

one_agent() { # NUMBER
  local dir=$work/agent-$1 start=$EPOCHREALTIME end
  cd "$dir"
  git reset -q --hard || return
  sh -c "$AGENT" >"$dir.log" 2>&1 </dev/null || return
  end=$EPOCHREALTIME
  git add -A || return
  git commit -q --no-verify -m "result of agent $1" || return
  git diff --numstat --no-renames --no-ext-diff --no-textconv "$base" HEAD >"$dir.numstat" || return
  echo $(((${end/./} - ${start/./}) / 1000)) >"$dir.ms"
}

pids=()
for ((i = 1; i <= n; i++)); do
  one_agent "$i" &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  wait "$pid" || { echo "shell-race: an agent failed" >&2; exit 1; }
done

# The build gates the tests and the linter. A failing check is a result, no failure of the race.
one_check='
  cd "$1" || exit 255
  build=1 test=1 lint=1
  if sh -c "$BUILD" >"$1.build" 2>&1; then
    build=0
    sh -c "$TEST" >"$1.test" 2>&1 && test=0
    sh -c "$LINT" >"$1.lint" 2>&1 && lint=0
  fi
  echo "$build $test $lint" >"$1.checks" || exit 255'
for ((i = 1; i <= n; i++)); do printf '%s\0' "$work/agent-$i"; done |
  xargs -0 -n 1 -P "$(nproc)" sh -c "$one_check" check

for ((i = 1; i <= n; i++)); do
  read -r build test lint <"$work/agent-$i.checks"
  read -r ms <"$work/agent-$i.ms"
  added=0 deleted=0
  while read -r a d _; do added=$((added + a)) deleted=$((deleted + d)); done <"$work/agent-$i.numstat"
  echo "agent-$i $build $test $lint $added $deleted $ms"
done >"$work/facts"

awk '
  NR == FNR { lines = $5 + $6; if (NR == 1 || lines < least) least = lines; if (NR == 1 || $7 < fastest) fastest = $7; next }
  { lines = $5 + $6
    score = 30 * ($2 == 0) + 30 * ($3 == 0) + 15 * ($4 == 0)
    score += 15 * (lines > 0 ? least / lines : 1) + 10 * ($7 > 0 ? fastest / $7 : 1)
    printf "%s %.1f %d %d %d %d %d %.2f\n", $1, score, $2, $3, $4, $5, $6, $7 / 1000 }
' "$work/facts" "$work/facts" | sort -k2,2nr -k1,1
