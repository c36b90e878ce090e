// Light or dark: by the system, or as chosen.
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'hydra-theme';

export function theme(): Theme {
  const kept = read();
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

// A report that is opened from a file may have no storage.
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function applyTheme(to: Theme = theme()): void {
  if (to === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = to;
}

export function setTheme(to: Theme): void {
  try {
    if (to === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, to);
  } catch {
    // It holds until the page is closed.
  }
  applyTheme(to);
}
