/** An example as a real process, against a server that the test has started. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Runs from its making until it ends by itself, by `interrupt`, or with the test. */
export class ExampleProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  #output = '';

  constructor(file: string, kubeconfig: string, ...args: readonly string[]) {
    const flags = [...packageFlags(), '--import', 'tsx', file, ...args];
    const env = { ...process.env, KUBECONFIG: kubeconfig };
    this.#child = spawn(process.execPath, flags, { cwd: FOLDER, env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.#output += String(data);
      });
    }
    this.#ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  /** Everything that it has written so far. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when it has written this. Rejects when it ends before. */
  async says(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      const over = await Promise.race([this.#ended.then(() => true), this.#data()]);
      if (over && !this.#output.includes(text)) throw new Error(`it ended and did not say ${text}:\n${this.#output}`);
    }
  }

  /** Resolves with the exit code of one that ends by itself. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #data(): Promise<boolean> {
    const streams = [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
    await Promise.race(streams.map((stream) => once(stream, 'data')));
    return false;
  }
}
