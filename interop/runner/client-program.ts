/** The program of a client as a child process, driven by lines. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How to start a program. */
export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What a program answered. */
export interface ProgramAnswer {
  readonly type: 'ok' | 'failed' | 'not-offered';
  /** The reason, unless it is ok. */
  readonly text: string;
  /** Lines by their first word: `version`, `view`, `own`. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** The `= KEY VALUE` lines. */
  readonly entries: ReadonlyMap<string, string>;
}

const LOG_TAIL = 20_000;
const ANSWER_LIMIT_MS = 150_000;

/** Answers one command at a time. It is killed when an answer takes too long. */
export class ClientProgram implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  readonly #answerLimitMs: number;
  #log = '';

  constructor(
    { command, args, cwd, env }: ProgramCommand,
    more: Readonly<Record<string, string>>,
    answerLimitMs: number = ANSWER_LIMIT_MS,
  ) {
    this.#answerLimitMs = answerLimitMs;
    this.#child = spawn(command, args, { cwd, env: { ...process.env, ...env, ...more } });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.on('data', (data: Buffer) => {
      this.#log = (this.#log + data.toString()).slice(-LOG_TAIL);
    });
    const kill = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#ended = once(this.#child, 'close')
      .catch((error: unknown) => {
        this.#log += String(error);
      })
      .finally(() => process.off('exit', kill));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** The end of its standard error. */
  get log(): string {
    return this.#log;
  }

  async ask(command: string): Promise<ProgramAnswer> {
    this.#child.stdin.write(`${command}\n`);
    const words = new Map<string, string[]>();
    const entries = new Map<string, string>();
    const limit = Date.now() + this.#answerLimitMs;
    // The first one; the answer is read to its end all the same, or the rest would be the answer to the next command.
    let wrong: string | undefined;
    for (;;) {
      const line = await this.#line(limit);
      if (line === undefined) {
        // An answer that came later would be taken for that to the next command.
        this.#child.kill('SIGKILL');
        return failure(`no answer to "${command}"; its log ends with: ${this.#log.slice(-2000)}`);
      }
      const [word, text] = split(line);
      if (word === 'ok' || word === 'failed' || word === 'not-offered')
        return wrong === undefined ? { type: word, text, words, entries } : failure(wrong);
      if (word === '=') {
        const [key, value] = split(text);
        if (entries.has(key)) wrong ??= `"${command}" reported ${key} twice`;
        entries.set(key, value);
      } else if (['version', 'view', 'own'].includes(word)) words.set(word, [...(words.get(word) ?? []), text]);
      else wrong ??= `"${command}" got a line outside of the protocol: ${line}`;
    }
  }

  /** Ends it. The answer is its exit code; undefined when it had to be killed. */
  async end(): Promise<number | undefined> {
    await this.ask('end');
    this.#child.stdin.end();
    const late = Symbol('late');
    if ((await Promise.race([this.#ended, sleep(20_000, late)])) === late) return undefined;
    return this.#child.exitCode ?? undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #line(limit: number): Promise<string | undefined> {
    const next = await Promise.race([this.#lines.next(), sleep(Math.max(0, limit - Date.now()), undefined)]);
    return next === undefined || next.done === true ? undefined : next.value;
  }
}

function split(line: string): readonly [string, string] {
  const at = line.indexOf(' ');
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function failure(text: string): ProgramAnswer {
  return { type: 'failed', text, words: new Map(), entries: new Map() };
}

function sleep<T>(ms: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), ms).unref();
  });
}
