/** One of Kubernetes' own programs as a child process. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type RealPartName, requireRealPart } from './real-part.ts';

const LOG_TAIL_BYTES = 1_000_000;

/** A program that runs until it is stopped. */
export class KubeProgram implements AsyncDisposable {
  readonly #child: ChildProcess;
  #log = '';

  /** Starts it; it does not say when it is ready. */
  constructor(part: RealPartName, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(requireRealPart(part), flags, { stdio: [...stdio], env: { ...process.env, ...env } });
    this.#child = child;
    child.stderr.on('data', (data: Buffer) => {
      this.#log = (this.#log + data.toString()).slice(-LOG_TAIL_BYTES);
    });
    child.once('error', (error) => {
      this.#log += String(error);
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
  }

  /** The end of what it has logged. */
  get log(): string {
    return this.#log;
  }

  /** Whether it still runs: these programs end themselves when they lose their lease. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
