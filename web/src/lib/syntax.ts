// Four classes of words, by line: enough to read a diff, small enough to be drawn while it scrolls.
export interface Token {
  text: string;
  kind: '' | 'comment' | 'string' | 'number' | 'keyword';
}

const WORDS = new Set(
  ('abstract and as assert async await auto bool break case catch char class const constexpr continue def default defer ' +
   'del delete do double elif else end enum except export extends extern false final finally float fn for from func ' +
   'function go if impl implements import in include inline int interface is lambda let long loop match mod module mut ' +
   'namespace new nil none not null nullptr of or override package pass private protected pub public raise return self ' +
   'short static string struct super switch template then this throw trait true try type typedef typename union unsafe ' +
   'unsigned use using val var virtual void where while with yield None True False').split(' '));

const C = /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|`(?:\\.|[^`\\])*`?|\b\d[\w.]*|[A-Za-z_]\w*/g;
const HASH = /#.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b\d[\w.]*|[A-Za-z_]\w*/g;
const DASH = /--.*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b\d[\w.]*|[A-Za-z_]\w*/g;

const RULES: Record<string, RegExp> = {};
for (const end of ('c cc cpp cxx h hh hpp rs go js mjs cjs ts tsx jsx java kt kts swift cs scala php dart zig proto css ' +
                   'scss groovy gradle m mm').split(' ')) RULES[end] = C;
for (const end of 'py rb sh bash zsh toml yaml yml pl r cmake mk ex exs nix tf conf ini jl'.split(' ')) RULES[end] = HASH;
for (const end of 'sql lua hs elm ada'.split(' ')) RULES[end] = DASH;
const NAMES: Record<string, RegExp> = { Makefile: HASH, Dockerfile: HASH, 'CMakeLists.txt': HASH, Rakefile: HASH };

/** Longer lines are data: they are drawn as they are. */
const LONGEST = 400;

export function rulesFor(path: string): RegExp | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMES[name] ?? RULES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
}

function kindOf(word: string): Token['kind'] {
  const c = word[0] ?? '';
  if (word.startsWith('//') || word.startsWith('/*') || word.startsWith('--') || c === '#') return 'comment';
  if (c === '"' || c === "'" || c === '`') return 'string';
  if (c >= '0' && c <= '9') return 'number';
  return WORDS.has(word) ? 'keyword' : '';
}

export function tokens(line: string, rules: RegExp | undefined): Token[] {
  if (!rules || line.length > LONGEST) return [{ text: line, kind: '' }];
  const out: Token[] = [];
  let from = 0;
  for (const m of line.matchAll(rules)) {
    const kind = kindOf(m[0]);
    if (kind === '') continue;
    if (m.index > from) out.push({ text: line.slice(from, m.index), kind: '' });
    out.push({ text: m[0], kind });
    from = m.index + m[0].length;
  }
  if (from < line.length) out.push({ text: line.slice(from), kind: '' });
  return out;
}
