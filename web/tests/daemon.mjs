// A real daemon of one's own: home, state, runtime directory and a user's repository in a new directory, which is gone
// afterwards. The binaries are those of HYDRA_BIN_DIR, else of the release build.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = process.env.HYDRA_BIN_DIR ?? fileURLToPath(new URL('../../build/release/bin', import.meta.url));
const PATIENCE = 240_000;

export class Daemon {
  constructor() {
    this.program = join(BIN, 'hydra');
    if (!existsSync(this.program)) throw new Error(`there is no ${this.program}: build it first (./dev build), or set HYDRA_BIN_DIR`);
    this.root = mkdtempSync(join(tmpdir(), 'hydra-page-'));
    for (const name of ['home/app', 'state', 'config', 'run', 'cache']) mkdirSync(join(this.root, name), { recursive: true, mode: 0o700 });
    this.repository = join(this.root, 'home', 'app');
    const kept = Object.fromEntries(['PATH', 'LANG', 'TMPDIR'].filter((k) => process.env[k]).map((k) => [k, process.env[k]]));
    const of = (name) => join(this.root, name);
    this.env = { ...kept, HOME: of('home'), USER: 'ada', LOGNAME: 'ada', GIT_CONFIG_NOSYSTEM: '1', XDG_STATE_HOME: of('state'), XDG_CONFIG_HOME: of('config'), XDG_RUNTIME_DIR: of('run'), XDG_CACHE_HOME: of('cache') };
    // Whatever happens to the tests, no process of theirs stays.
    this.stop = this.stop.bind(this);
    process.on('exit', this.stop);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130)); // else `exit` is not told
  }

  /** What a program says, in the user's checkout; any exit code is a value. */
  run(program, ...words) {
    return new Promise((then) => {
      execFile(program, words, { cwd: this.repository, env: this.env, timeout: PATIENCE, maxBuffer: 1 << 28 }, (error, out, err) => then({ code: error ? (error.code ?? -1) : 0, out, err }));
    });
  }
  hydra(...words) {
    return this.run(this.program, ...words);
  }
  async json(...words) {
    const { out, err } = await this.hydra(...words, '--json');
    try {
      return JSON.parse(out);
    } catch {
      throw new Error(`hydra ${words.join(' ')}: ${out.slice(-500)}${err.slice(-2000)}`);
    }
  }
  async git(...words) {
    const { code, out, err } = await this.run('git', ...words);
    assert.equal(code, 0, `git ${words.join(' ')}: ${err}`);
    return out.trim();
  }
  write(path, text) {
    mkdirSync(dirname(join(this.repository, path)), { recursive: true });
    writeFileSync(join(this.repository, path), text);
  }
  async commit(message) {
    await this.git('add', '-A');
    await this.git('commit', '-qm', message);
  }
  async project(files) {
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    await this.git('init', '-q', '-b', 'main');
    await this.git('config', 'user.name', 'Ada');
    await this.git('config', 'user.email', 'ada@example.org');
    await this.commit('A login');
  }

  /** Begins a race; its id. */
  async begin(task, ...words) {
    const { out, err } = await this.hydra('race', '--detach', '--json', ...words, task);
    const race = /"race": ?"(\w+)"/.exec(out)?.[1];
    assert.ok(race, `hydra race: ${out.slice(-500)}${err.slice(-2000)}`);
    return race;
  }
  /** The same, and waits for its end. */
  async race(task, ...words) {
    const race = await this.begin(task, ...words);
    await this.hydra('watch', race);
    return race;
  }

  /** A new link of the scoreboard. */
  async link(...words) {
    return (await this.json('ui', '--no-open', ...words)).url;
  }

  /** Where its unix socket is, for node:http. */
  place() {
    const run = join(this.root, 'run', 'hydra');
    return { socketPath: join(run, readdirSync(run).find((name) => name.endsWith('.sock'))) };
  }
  /** An answer over the unix socket. */
  async ask(path, method = 'GET') {
    return new Promise((then, fail) => {
      const call = request({ ...this.place(), path, method, headers: { host: 'hydra' } }, (answer) => {
        const parts = [];
        answer.on('data', (d) => parts.push(d)).on('end', () => then(JSON.parse(Buffer.concat(parts).toString() || 'null')));
      });
      call.on('error', fail).end();
    });
  }
  async pid() {
    return (await this.json('daemon', 'status')).health.pid;
  }
  /** The daemon ends as by a power cut; its agents go on. */
  async kill() {
    const pid = await this.pid();
    process.kill(pid, 'SIGKILL');
    while (existsSync(`/proc/${pid}`)) await new Promise((then) => setTimeout(then, 10));
  }

  /** Ends races, daemon and files; without waiting for anything else, for it also runs when the process ends. */
  stop() {
    process.off('exit', this.stop);
    if (process.env.HYDRA_KEEP === '1') return void console.log(`kept: ${this.root}`);
    const hydra = (...words) => {
      try {
        return execFileSync(this.program, words, { cwd: this.root, env: this.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
      } catch {
        return '{}'; // it had ended already
      }
    };
    // Agents go on without a daemon: they have to be ended first.
    for (const { race, state } of JSON.parse(hydra('list', '--json') || '{}').races ?? [])
      if (!['done', 'cancelled', 'failed'].includes(state)) hydra('cancel', race), hydra('watch', race);
    hydra('daemon', 'stop');
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
