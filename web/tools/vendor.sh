#!/usr/bin/env bash
# Copies React's production files, unmodified, from node_modules to vendor/; with --check compares them instead.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
files=(
  react/{package.json,LICENSE,index.js,jsx-runtime.js,cjs/react.production.js,cjs/react-jsx-runtime.production.js}
  react-dom/{package.json,LICENSE,index.js,client.js,cjs/react-dom.production.js,cjs/react-dom-client.production.js}
  scheduler/{package.json,LICENSE,index.js,cjs/scheduler.production.js}
)
for file in "${files[@]}"; do
  if [ "${1:-}" = --check ]; then
    cmp "node_modules/$file" "vendor/node_modules/$file"
  else
    install -D -m 644 "node_modules/$file" "vendor/node_modules/$file"
  fi
done
