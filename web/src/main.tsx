import { createRoot } from 'react-dom/client';
import './theme.css';
import { App, door } from './app.tsx';
import { signIn, tab, takeCode } from './lib/session.ts';
import { applyTheme } from './ui/theme.ts';

// First of all the code leaves the address.
const code = takeCode();
applyTheme();

async function begin(): Promise<void> {
  const good = code !== '' && (await signIn(code).catch(() => false));
  // An old link does not sign out who is signed in.
  if (!good && tab() === '') door.set({ signedIn: false, used: code !== '' });
  addEventListener('hashchange', () => sessionStorage.setItem('hydra-been', '1'), { once: true });
  createRoot(document.getElementById('root')!).render(<App />);
}

void begin();
