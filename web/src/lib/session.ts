// The two halves of a session: a cookie that no script sees, and this one, which only this origin can read.
const KEY = 'hydra-tab';

/** The tab's half; empty: signed out. */
export function tab(): string {
  return localStorage.getItem(KEY) ?? '';
}

export function forget(): void {
  localStorage.removeItem(KEY);
}

/** The one-time code of the address, which leaves the address before anything else runs; `hydra ui RACE` names a page. */
export function takeCode(): string {
  const [, code = '', to = '/'] = /^#code=([\w-]+)(?:&to=([\w/-]+))?$/.exec(location.hash) ?? [];
  if (code !== '') history.replaceState(null, '', `#${to}`);
  return code;
}

/** Exchanges the code; false where it is not good any more. */
export async function signIn(code: string): Promise<boolean> {
  const answer = await fetch('/ui/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return false;
  localStorage.setItem(KEY, ((await answer.json()) as { tab: string }).tab);
  return true;
}

export async function signOut(): Promise<void> {
  await fetch('/ui/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hydra-tab': tab() },
    body: '{}',
  }).catch(() => undefined);
  forget();
}
