// Terminal output to coloured spans: SGR only, every colour one of sixteen of the theme, so that contrast holds for any
// output. All other escapes are dropped.
import { clean } from './text.ts';

/** The state of the pen; a colour is 0..15, -1 the theme's own. */
export interface Pen {
  fg: number;
  bg: number;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

export interface Span {
  text: string;
  /** Class names of the theme: "f1 bold"; empty for plain text. */
  style: string;
}

export const PLAIN: Pen = { fg: -1, bg: -1, bold: false, dim: false, italic: false, underline: false };

/** Longest line that is drawn, in characters. */
export const MOST = 4096;

const ESC = /\x1b(?:\[([0-?]*)([ -/]*[@-~]|$)|[\]PX^_][\s\S]*?(?:\x07|\x1b\\|\x9c|$)|[ -/]*[0-~]|$)/g;

/** True colour to the nearest of the sixteen. */
export function nearest(r: number, g: number, b: number): number {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  if (max - min < 40) return max < 64 ? 0 : max < 144 ? 8 : max < 208 ? 7 : 15;
  const t = (max + min) / 2;
  const n = (r > t ? 1 : 0) | (g > t ? 2 : 0) | (b > t ? 4 : 0);
  return max > 180 ? n + 8 : n;
}

function of256(n: number): number {
  if (n < 16) return n;
  if (n >= 232) return nearest((n - 232) * 10 + 8, (n - 232) * 10 + 8, (n - 232) * 10 + 8);
  const level = (i: number) => (i === 0 ? 0 : i * 40 + 55);
  const at = n - 16;
  return nearest(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6));
}

/** The colour after 38 or 48 and how many parameters it took. */
function extended(codes: number[], at: number): [colour: number, taken: number] {
  if (codes[at] === 5) return [of256(codes[at + 1] ?? 0), 2];
  if (codes[at] === 2) return [nearest(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), 4];
  return [-1, 1];
}

function apply(pen: Pen, parameters: string): Pen {
  if (/[<=>?]/.test(parameters)) return pen; // private: no colour
  const codes = parameters.split(/[;:]/).map((p) => (p === '' ? 0 : Number(p)));
  let next = { ...pen };
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) next = { ...PLAIN };
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code >= 90 && code <= 97) next.fg = code - 82;
    else if (code === 39) next.fg = -1;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code >= 100 && code <= 107) next.bg = code - 92;
    else if (code === 49) next.bg = -1;
    else if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes, i + 1);
      if (code === 38) next.fg = colour;
      else next.bg = colour;
      i += taken;
    }
  }
  return next;
}

function style(pen: Pen): string {
  const names: string[] = [];
  // A background of their choice would need a contrast of its own: it is shown as a frame in that colour.
  if (pen.fg >= 0) names.push(`f${pen.fg}`);
  if (pen.bg >= 0) names.push('boxed');
  if (pen.bold) names.push('bold');
  if (pen.dim) names.push('dim');
  if (pen.italic) names.push('italic');
  if (pen.underline) names.push('under');
  return names.join(' ');
}

/** The text that a terminal shows of a line at its end: after a carriage return only the last part stays. */
function shown(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const at = text.lastIndexOf('\r');
  return at < 0 ? text : text.slice(at + 1);
}

/** The pen after this line. */
export function penAfter(line: string, pen: Pen): Pen {
  if (!line.includes('\x1b')) return pen;
  let now = pen;
  for (const m of line.matchAll(ESC)) if (m[2] === 'm') now = apply(now, m[1] ?? '');
  return now;
}

/** One line as spans, begun with this pen. */
export function spans(line: string, pen: Pen): Span[] {
  const text = shown(line);
  const found: Span[] = [];
  let now = pen;
  let from = 0;
  let left = MOST;
  const add = (piece: string) => {
    if (piece === '' || left <= 0) return;
    found.push({ text: clean(piece.slice(0, left)), style: style(now) });
    left -= piece.length;
    if (left < 0) found.push({ text: ` … ${-left} characters more`, style: 'cut' });
  };
  for (const m of text.matchAll(ESC)) {
    add(text.slice(from, m.index));
    from = m.index + m[0].length;
    if (m[2] === 'm') now = apply(now, m[1] ?? '');
  }
  add(text.slice(from));
  return found;
}

/** Without escapes and marks: what a search looks at. */
export function plain(line: string): string {
  const text = shown(line);
  return text.includes('\x1b') ? text.replace(ESC, '') : text;
}
