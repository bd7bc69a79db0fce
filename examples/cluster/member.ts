/** One process of the cluster: a member of etcd or a server. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, createWriteStream, readFileSync } from 'node:fs';

/** Who was killed is started again after this time. */
const AGAIN_MS = 10_000;

export class Member {
  readonly name: string;
  readonly url: string;
  readonly #command: readonly [string, ...string[]];
  readonly #logFile: string;
  #child: ChildProcess;
  #again: NodeJS.Timeout | undefined;
  #isEnding = false;

  /** What it writes goes to a file. */
  constructor(name: string, url: string, command: readonly [string, ...string[]], logFile: string) {
    this.name = name;
    this.url = url;
    this.#command = command;
    this.#logFile = logFile;
    this.#child = this.#spawn();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** The end of its log: why it has ended. */
  get lastWords(): string {
    return readFileSync(this.#logFile, 'utf8').trim().split('\n').slice(-5).join('\n');
  }

  /** From now on it is started again when it ends: somebody has killed it. */
  keepAlive(): void {
    this.#child.once('exit', () => {
      if (this.#isEnding) return;
      this.#again = setTimeout(() => {
        this.#child = this.#spawn();
        this.keepAlive();
      }, AGAIN_MS);
    });
  }

  /** Asks it to end, and kills it after ten seconds. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#again);
    if (!this.runs) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    // A stopped process does not hear it.
    this.#child.kill('SIGCONT');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(impatience);
  }

  /** For the end of the process itself, which waits for nobody. */
  kill(): void {
    this.#isEnding = true;
    if (this.runs) this.#child.kill('SIGKILL');
  }

  /** In a process group of its own: Ctrl-C is for the one that started it. */
  #spawn(): ChildProcess {
    const [program, ...args] = this.#command;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const log = createWriteStream(this.#logFile, { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('close', () => log.end());
    child.once('error', (error) => appendFileSync(this.#logFile, `${error.message}\n`));
    return child;
  }
}
