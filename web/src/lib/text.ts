// Text of agents, of programs and of other people's repositories: what can't be seen or turns the line is shown by name.

// C0 and C1 but for tab and newline, bidirectional and invisible characters.
const MARKS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The text with marks such as ‹202e› in the place of characters that hide or reorder. */
export function clean(text: string): string {
  return text.replace(MARKS, (c) => `‹${c.charCodeAt(0).toString(16).padStart(2, '0')}›`);
}

/** At most `most` characters, and a mark where the rest was. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} characters more)`;
}

/** "1 file", "3 files", "1,204 lines". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Whose run: an agent's name, "ada with its own tests", "a cross run". */
export function runName(subject: string, purpose: string): string {
  const [agent, part] = subject.split('@');
  if (!agent || /^[+_]/.test(subject)) return purpose;
  return part === undefined ? agent : `${agent} ${purpose}`;
}
