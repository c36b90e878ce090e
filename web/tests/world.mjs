// What the pages show of a real daemon: a small project, agents that are scripts and as hostile as they come, and races of
// theirs: one that is done, one of several attempts, one that goes on.
import { Daemon } from './daemon.mjs';

const TASK = 'let a token expire <img src=x onerror=alert(1)> \u202etxet\u202c';
const HOSTILE = 'done <script>alert(2)</script> \\u202etxet\\u202c \\u001b]8;;http://evil.example\\u0007link\\u001b]8;;\\u0007 \\u001b[31mred\\u001b[0m';

const AUTH = `"""Tokens of the login."""


def check(token):
    """Whether a token is good."""
    return token.startswith("t-")


def owner(token):
    """Whose token it is."""
    return token.split("-")[1]
`;

const TESTS = `import unittest

import auth


class Tokens(unittest.TestCase):
    def test_empty(self):
        self.assertFalse(auth.check(""))

    def test_good(self):
        self.assertTrue(auth.check("t-ada-99"))

    def test_expired(self):
        self.assertFalse(auth.check("t-ada-1"))

    def test_owner(self):
        self.assertEqual(auth.owner("t-ada-99"), "ada")
`;

const LINT = `for file in *.py; do
  awk -v file="$file" 'length($0) > 80 { printf "%s:%d:81: warning: line is longer than 80 characters [-Wlong-line]\\n", file, NR }' "$file"
done
`;

/** Test methods of an author's own. */
const ownTests = (name, ...cases) => `import unittest

import auth


class ${name}(unittest.TestCase):
${cases.map(([test, token, good]) => `    def test_${test}(self):\n        self.assert${good ? 'True' : 'False'}(auth.check("${token}"))\n`).join('\n')}`;

const RIGHT = `def check(token):
    """Whether a token is good."""
    parts = token.split("-")
    return len(parts) == 3 and parts[0] == "t" and int(parts[2]) > 10
`;
const LONG = `def age_of(token):
    """How old a token is."""
    parts = token.split("-")
    if len(parts) != 3:
        return 0
    return int(parts[2])  # noqa: S105 ${'a long remark that nobody needs, '.repeat(2)}

${Array.from({ length: 30 }, (_, i) => `def helper_${i}(token):\n    return age_of(token) + ${i}\n\n`).join('\n')}
def check(token):
    """Whether a token is good."""
    return token.startswith("t-") and age_of(token) > 10
`;
const WRONG = `def check(token):
    """Whether a token is good."""
    return not token.endswith("-1")
`;

/** The file with another `check`. */
const changed = (check) => AUTH.replace(/def check[\s\S]*?\n\n\n/, `${check}\n\n`);

const STREAM = `[agents.NAME.stream]
format = "jsonl"
session_when = { event = "start" }
session_path = "/id"
text_paths = ["/text"]
tool_paths = ["/name"]
terminal_when = { event = "done" }
terminal_required = true
terminal_text = "/text"
usage = { mode = "last", when = { event = "done" }, input = "/in", output = "/out", cost_usd = "/usd" }
`;

/** A scripted agent: `files` are what it leaves, `text` is its last word; `script` runs before. */
export function agent(name, display, { files = {}, text = 'done', script = 'sleep 0.3', usd = 0.1 } = {}) {
  const leaves = Object.entries(files).map(([path, body]) => `mkdir -p "$(dirname ${path})"\ncat > ${path} <<'END'\n${body}END\n`).join('');
  return `[agents.${name}]
display = ${JSON.stringify(display)}
command = ["sh", "-c", '''
say() { printf '%s\\n' "$1"; }
say '{"event":"start","id":"s-1"}'
say '{"event":"tool","name":"read"}'
${script}
${leaves}say '{"event":"tool","name":"edit"}'
say '{"event":"done","text":"${text}","in":12000,"out":900,"usd":${usd}}'
''', "${name}", "{prompt}"]
${STREAM.replace('NAME', name)}
`;
}

/** Speaks ten times a second and grows a file, until it is cancelled or ten minutes are over. */
export const TALKER = `i=0
while [ $i -lt 6000 ]; do
  i=$((i + 1))
  printf '{"event":"say","text":"step %d of many"}\\n{"event":"tool","name":"edit"}\\n' $i
  [ $((i % 10)) = 0 ] && echo "# line $i" >> notes.py
  sleep 0.1
done`;

const CONFIG = `[scoring]
build_command = "python3 -m py_compile auth.py"
test_command = "python3 -m unittest discover -v -s tests -t ."
lint_command = "sh lint.sh"

[sandbox]
mode = "auto"

${agent('ada', 'Ada', { usd: 0.42, text: 'A token has an age now; expired ones are refused.', files: { 'auth.py': changed(RIGHT), 'tests/test_age.py': ownTests('Age', ['young', 't-eve-50', true], ['old', 't-eve-2', false], ['halves', 't-eve', false]) } })}
${agent('brook', 'Brook', { usd: 0.9, script: 'sleep 0.6', files: { 'auth.py': changed(LONG), 'tests/test_more.py': ownTests('More', ['older', 't-bob-3', false], ['fresh', 't-bob-77', true]) } })}
${agent('cleo', 'Cleo', { usd: 0.05, files: { 'auth.py': changed(WRONG) } })}
${agent('dune', 'Dune \u202e<b>', { text: HOSTILE, files: { 'auth.py': `${AUTH}\ndef broken(:\n` } })}
${agent('slow', 'Slow One', { script: TALKER })}
`;

export const FILES = {
  '.gitignore': '__pycache__/\n', 'README.md': '# A login\n', 'auth.py': AUTH, 'lint.sh': LINT, 'tests/__init__.py': '', 'tests/test_auth.py': TESTS, 'hydra.toml': CONFIG,
};

/** The daemon with its races: `done`, `several` (four attempts of two entries) and `live`. */
export async function world() {
  const daemon = new Daemon();
  await daemon.project(FILES);
  const done = await daemon.race(TASK, '--agents', 'ada,brook,cleo,dune');
  const several = await daemon.race('the same again', '--agents', 'ada,brook', '--attempts', '4');
  const live = await daemon.begin('a long one', '--agents', 'slow,ada');
  return Object.assign(daemon, { done, several, live });
}
