// A race as a picture to be shared: names and figures alone. No task, no path, no branch, and no text of an agent.
import { money, points, took } from '../lib/format.ts';
import { hues, racers } from '../lib/hue.ts';
import { HEIGHTS, PARTS, path, picture } from '../lib/lanes.ts';
import { grade } from '../lib/score.ts';
import { clean, count } from '../lib/text.ts';
import type { AgentResult, Attempt, Results } from '../lib/types.ts';
import { save } from './save.ts';

const WIDTH = 1200, HEIGHT = 630, EDGE = 48, LANES = 470;
const MOST = 7;

/** A result that was combined is called by its files. */
const nameOf = (a: AgentResult) => (/[/:]/.test(a.display) ? a.agent : a.display);

/** `colour`: of a name of theme.css. */
export function paint(c: CanvasRenderingContext2D, results: Results, runs: readonly Attempt[], colour: (name: string) => string): void {
  const text = (words: string, x: number, y: number, size: number, tone = 'text', width = WIDTH - EDGE - x, weight = 400) => {
    c.font = `${weight} ${size}px system-ui, sans-serif`;
    c.fillStyle = colour(tone);
    let shown = clean(words);
    while (shown.length > 1 && c.measureText(shown).width > width) shown = `${shown.slice(0, -2)}…`;
    c.fillText(shown, x, y);
    return c.measureText(shown).width;
  };
  c.fillStyle = colour('ground');
  c.fillRect(0, 0, WIDTH, HEIGHT);
  const { agents } = results;
  text(`Hydra race · ${count(agents.length, 'agent')} · ${took(results.duration_seconds * 1000)}`, EDGE, 66, 24, 'muted');
  let line = '', y = 118;
  for (const word of (results.verdict || 'No winner.').split(' ')) {
    c.font = '650 32px system-ui, sans-serif';
    if (y === 118 && c.measureText(`${line} ${word}`).width > WIDTH - 2 * EDGE) {
      text(line, EDGE, y, 32, 'text', undefined, 650);
      line = word;
      y += 42;
    } else line += (line && ' ') + word;
  }
  text(line, EDGE, y, 32, 'text', undefined, 650);

  const shown = agents.slice(0, MOST);
  const drawn = picture(runs, shown.map((a) => a.agent), results.created_ms);
  const total = Math.max(1, ...drawn.lanes.map((l) => l.end));
  const hue = hues(racers(results));
  const row = Math.min(96, 370 / shown.length);
  shown.forEach((a, i) => {
    const middle = 190 + row * (i + 0.5);
    const own = hue.get(a.agent) ?? 'border';
    c.fillStyle = colour(own);
    c.fillRect(EDGE, middle - 16, 16, 16);
    text(`${a.rank > 0 ? `#${a.rank} ` : ''}${nameOf(a)}`, EDGE + 28, middle, 23, 'text', 270, a.agent === results.winner ? 700 : 500);
    if (a.composite !== null) text(points(a.composite), EDGE + 316, middle, 26, grade(a.composite), 90, 700);
    text(`+${a.diff.lines_added} −${a.diff.lines_removed}${a.duration_seconds === null ? '' : ` · ${took(a.duration_seconds * 1000)}`}${a.cost_usd === null ? '' : ` · ${money(a.cost_usd, a.cost_estimated)}`}`, EDGE + 28, middle + 22, 17, 'muted', 380);
    const lane = drawn.lanes[i];
    if (!lane) return;
    c.save();
    c.translate(LANES, middle - 14);
    c.scale((WIDTH - EDGE - LANES) / 1000, 2);
    c.fillStyle = colour('border');
    c.fill(new Path2D(path([[0, lane.end]], total, 1)));
    c.fillStyle = colour(own);
    for (const part of PARTS) c.fill(new Path2D(path(lane.parts[part], total, HEIGHTS[part])));
    c.restore();
  });
  if (agents.length > MOST) text(`and ${agents.length - MOST} more`, EDGE + 28, 590, 17, 'muted');
  let x = LANES;
  for (const part of PARTS) {
    c.fillStyle = colour('border');
    c.fillRect(x, 584 - HEIGHTS[part], 36, HEIGHTS[part] * 2);
    x += 46 + text(part, x + 46, 590, 17, 'muted') + 30;
  }
}

/** Into the clipboard; a file, if the browser does not let it. */
export async function share(results: Results, runs: readonly Attempt[]): Promise<'copied' | 'saved'> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const look = getComputedStyle(document.documentElement);
  paint(canvas.getContext('2d')!, results, runs, (name) => look.getPropertyValue(`--${name}`));
  const blob = await new Promise<Blob | null>((then) => canvas.toBlob(then));
  if (!blob) throw new Error('the browser drew no picture');
  try {
    await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
    return 'copied';
  } catch {
    save(blob, `hydra-${results.race}.png`);
    return 'saved';
  }
}
