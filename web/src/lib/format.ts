// Figures in words.

/** "0s", "4m 12s", "2h 5m". */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 60) return `${s}s`;
  if (s < 3600) return `${Math.floor(s / 60)}m ${s % 60}s`;
  if (s < 86400) return `${Math.floor(s / 3600)}h ${Math.floor((s % 3600) / 60)}m`;
  return `${Math.floor(s / 86400)}d ${Math.floor((s % 86400) / 3600)}h`;
}

/** How long something took that is over: "0.4s", "3.1s", and from ten seconds on as duration(). */
export function took(ms: number): string {
  return ms < 9_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)}s` : duration(ms);
}

/** "2 minutes ago"; of times of the daemon, both in ms. */
export function ago(then: number, now: number): string {
  const s = Math.max(0, (now - then) / 1000);
  const of = (n: number, unit: string) => `${Math.floor(n)} ${unit}${Math.floor(n) === 1 ? '' : 's'} ago`;
  if (s < 45) return 'just now';
  if (s < 3600) return of(Math.max(1, s / 60), 'minute');
  if (s < 86400) return of(s / 3600, 'hour');
  return of(s / 86400, 'day');
}

/** "$0.42", "~$1.10" where it is an estimate, "" where it is not known. */
export function money(usd: number | null | undefined, estimated = false): string {
  if (usd === null || usd === undefined) return '';
  const text = usd < 0.005 && usd > 0 ? '<$0.01' : `$${usd.toFixed(2)}`;
  return estimated ? `~${text}` : text;
}

/** "950", "12.4k", "3.1M". */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_950) return `${(n / 1000).toFixed(n < 99_950 ? 1 : 0)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** "12 B", "3.4 KiB", "1.2 MiB". */
export function bytes(n: number): string {
  let value = n;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB'])
    if (value < 1024 || unit === 'GiB') return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`;
    else value /= 1024;
  return `${n} B`;
}

/** "93.3": rounded for the eye only; order and colours come from the number itself. */
export function points(value: number): string {
  return value.toFixed(1);
}

/** "timed_out" as "timed out". */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}
