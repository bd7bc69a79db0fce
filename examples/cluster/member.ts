/** One process of the cluster: a member of etcd or a server. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

export class Member {
  readonly name: string;
  readonly url: string;
  readonly #child: ChildProcess;

  /** What it writes goes to a file. In a process group of its own: Ctrl-C is for the one that started it. */
  constructor(name: string, url: string, command: readonly [string, ...string[]], logFile: string) {
    this.name = name;
    this.url = url;
    const [program, ...args] = command;
    this.#child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const log = createWriteStream(logFile);
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
    this.#child.once('error', (error) => log.write(`${String(error)}\n`));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** Asks it to end, and kills it after ten seconds. */
  async end(): Promise<void> {
    if (!this.runs) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const impatience = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(impatience);
  }

  /** For the end of the process itself, which waits for nobody. */
  kill(): void {
    if (this.runs) this.#child.kill('SIGKILL');
  }
}
