/** A program under leader election as a child process, and what it has said. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { packageFlags, startTcpProxy, type TcpProxy } from '@listwatch/conformance/parts';

/** Times are milliseconds of the clock that all processes of a machine share. */
export interface Said {
  readonly type: 'begin' | 'end' | 'lead' | 'lost' | 'write';
  readonly at: number;
}

interface Stretch {
  readonly from: number;
  readonly until: number;
}

export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const PROGRAM = fileURLToPath(new URL('elected-program.ts', import.meta.url));

export class ElectedProcess {
  readonly name: string;
  readonly proxy: TcpProxy;
  readonly said: Said[] = [];
  readonly #child: ChildProcess;
  /** When it was stopped, until it spoke again. */
  readonly #stopped: { readonly from: number; resumedAt: number; until: number }[] = [];
  readonly #closed: Promise<unknown>;
  #killedAt = Infinity;

  private constructor(name: string, child: ChildProcess, proxy: TcpProxy) {
    this.name = name;
    this.proxy = proxy;
    this.#child = child;
    // Not `exit`: lines may still come after it.
    this.#closed = once(child, 'close');
    if (child.stdout === null) throw new Error('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => this.#note(JSON.parse(line)));
  }

  static async start(name: string, lease: string, server: { url: string; token: string }): Promise<ElectedProcess> {
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const args = [`https://127.0.0.1:${proxy.port}`, server.token, lease, name];
    const execArgv = [...packageFlags(), '--import', 'tsx'];
    const child = fork(PROGRAM, args, { execArgv, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    return new ElectedProcess(name, child, proxy);
  }

  /** Does it lead, as far as it has said? */
  get leads(): boolean {
    const last = this.said.findLast(({ type }) => type === 'lead' || type === 'lost');
    return last?.type === 'lead' && this.#killedAt === Infinity;
  }

  get reconciles(): boolean {
    return this.said.findLast(({ type }) => type === 'begin' || type === 'end')?.type === 'begin';
  }

  /** From `lead` to `lost`, without the time in which it was stopped. */
  get spans(): readonly Stretch[] {
    const leads = this.said.filter(({ type }) => type === 'lead');
    return leads.flatMap(({ at: from }) => {
      const lost = this.said.find(({ type, at }) => type === 'lost' && at >= from)?.at ?? Infinity;
      return without({ from, until: Math.min(lost, this.#killedAt) }, this.#stopped);
    });
  }

  count(type: Said['type']): number {
    return this.said.filter((one) => one.type === type).length;
  }

  jump(ms: number): void {
    this.#child.send(ms);
  }

  stop(): void {
    this.#stopped.push({ from: sharedNow(), resumedAt: Infinity, until: Infinity });
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    const stopped = this.#stopped.at(-1);
    if (stopped !== undefined) stopped.resumedAt = sharedNow();
    this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#killedAt = sharedNow();
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  /** Asks it to end, and waits until it has. */
  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#closed;
  }

  async close(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
    await this.proxy.close();
  }

  #note(said: Said): void {
    this.said.push(said);
    const stopped = this.#stopped.at(-1);
    // From its first word on as a leader, or as one no more, it counts again.
    const counts = said.type === 'lost' || said.type === 'write';
    if (counts && stopped?.until === Infinity && said.at > stopped.resumedAt) stopped.until = said.at;
  }
}

/** A stretch of time with others cut out of it. */
function without(whole: Stretch, cuts: readonly Stretch[]): readonly Stretch[] {
  return cuts.reduce<readonly Stretch[]>(
    (left, cut) =>
      left.flatMap(({ from, until }) =>
        [
          { from, until: Math.min(until, cut.from) },
          { from: Math.max(from, cut.until), until },
        ].filter((part) => part.from < part.until),
      ),
    [whole],
  );
}

/** Times in which two processes led. */
export function sharedSpans(one: ElectedProcess, other: ElectedProcess): readonly Stretch[] {
  return one.spans.flatMap((a) =>
    other.spans
      .map((b) => ({ from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }))
      .filter(({ from, until }) => from < until),
  );
}
