// One rule for the keyboard: a control with `data-key` is what its key does. Cards say which of them is meant: a key
// goes to the control inside the card that has the focus, else to the first one on the page.
import { useEffect } from 'react';

const OFF = 'hydra-keys-off';

export function keysOff(): boolean {
  try {
    return localStorage.getItem(OFF) === '1';
  } catch {
    return false; // a report from a file may have no storage
  }
}

export function setKeysOff(off: boolean): void {
  if (off) localStorage.setItem(OFF, '1');
  else localStorage.removeItem(OFF);
}

export const KEYS: readonly [key: string, what: string][] = [
  ['?', 'this help'], ['/', 'the filter or the search'], ['j', 'next card or row'], ['k', 'previous card or row'],
  ['Enter', 'open what has the focus'], ['x', 'select a card for comparing'], ['c', 'compare the two selected, or comment on a line'],
  ['e', 'why this score'], ['d', 'diff'], ['l', 'log'], ['f', 'final message'], ['m', 'merge dialog (it never merges by itself)'],
  ['n', 'next failure or change'], ['p', 'previous failure or change'], ['[', 'previous file'], [']', 'next file'],
  ['u', 'side by side or unified'], ['w', 'weights'], ['g r', 'races'], ['g b', 'scoreboard of this race'], ['g t', 'its tests'], ['g e', 'its evidence'],
  ['g l', 'leaderboard'], ['Esc', 'close the dialog'],
];

function shownNow(el: Element): boolean {
  return el instanceof HTMLElement && el.checkVisibility() && !el.closest('[inert]') && !(el as HTMLButtonElement).disabled;
}

function pick(key: string): HTMLElement | undefined {
  const root = document.querySelector('dialog[open]') ?? document;
  const all = [...root.querySelectorAll<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)].filter(shownNow);
  const card = document.activeElement?.closest('[data-card]');
  return all.find((el) => card?.contains(el)) ?? all[0];
}

function step(by: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-nav]')].filter(shownNow);
  const card = document.activeElement?.closest('[data-card]');
  const at = all.findIndex((el) => el === document.activeElement || (card !== null && card !== undefined && el.closest('[data-card]') === card));
  const to = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
}

function writing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.matches('textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])');
}

export function useKeys(): void {
  useEffect(() => {
    let prefix = '';
    const down = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || writing(e.target) || keysOff()) return;
      const key = prefix + e.key;
      prefix = '';
      if (key === 'g') {
        prefix = 'g ';
        return;
      }
      if (key === 'j' || key === 'k') return step(key === 'j' ? 1 : -1);
      const el = pick(key);
      if (!el) return;
      e.preventDefault();
      if (el.matches('input[type=search], input[type=text]')) el.focus();
      else el.click();
    };
    addEventListener('keydown', down);
    return () => removeEventListener('keydown', down);
  }, []);
}
