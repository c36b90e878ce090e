// For those whom the daemon does not know (any more). The route stays: after signing in they are where they were.
export function SignInPage({ used }: { used: boolean }) {
  return (
    <main className="signin">
      <h1>Not signed in</h1>
      <p>{used ? 'This link was used already, or it is older than a minute.' : 'This page is opened by Hydra itself. Sessions end with the daemon.'}</p>
      <p>In a terminal:</p>
      <pre>hydra ui</pre>
      <p className="muted">It opens a new link, which is good for one minute and for one browser.</p>
    </main>
  );
}
