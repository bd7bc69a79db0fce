/** A process with some of the informers: see `informer-fleet.ts`. */

import { monotonicMs } from '../capacity/watcher-plan.ts';
import { FrameCounter } from '../server/frame-counter.ts';
import { openConnection } from '../server/open-connection.ts';
import type { Target } from '../server/target.ts';
import type { InformerAnswer, InformerOrder } from './informer-plan.ts';

const RETRY_MS = 50;
/** Of the bookmark that ends the initial events. */
const SYNCED = 'k8s.io/initial-events-end';
const VERSION = /"resourceVersion":"(\d+)"/u;
const followers: Follower[] = [];

function answer(message: InformerAnswer): void {
  process.send?.(message);
}

async function sync(order: Extract<InformerOrder, { readonly type: 'sync' }>): Promise<void> {
  const { url, token, path, count, atOnce } = order;
  const target: Target = { name: '', url, token, pid: 0 };
  const cpu = process.cpuUsage();
  const ms: number[] = [];
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const started = performance.now();
      await syncOne(target, path);
      ms.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  const { user, system } = process.cpuUsage(cpu);
  answer({ type: 'synced', ms, cpuMicros: user + system });
}

/** The handshake is a part of it. */
async function syncOne(target: Target, path: string): Promise<void> {
  const connection = await openConnection(target, 'h2');
  const counter = new FrameCounter();
  let tail = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const watch = connection.watch(path, (chunk) => {
        counter.count(chunk);
        // The mark may lie across two chunks; it stands in the last line.
        tail = (tail + chunk.subarray(Math.max(0, chunk.length - 1000)).toString('latin1')).slice(-1000);
        if (tail.includes(SYNCED)) resolve();
      });
      watch.then(({ ended }) => ended.then(() => reject(new Error('a watch ended before it was synced'))), reject);
    });
  } finally {
    connection.close();
  }
}

/** A watch that goes on by its version, on a connection of its own. */
class Follower {
  readonly #target: Target;
  readonly #path: string;
  #version: bigint;
  #hash = 0;
  #count = 0;
  #line = '';
  #isFirst = true;
  resumedAt = 0;
  reconnects = -1;
  relists = 0;
  repeated = 0;

  constructor(target: Target, path: string, from: string) {
    this.#target = target;
    this.#path = path;
    this.#version = BigInt(from);
  }

  get story(): string {
    return `${this.#count}:${this.#hash}`;
  }

  /** Resolves when the first watch has begun. */
  follow(): Promise<void> {
    return new Promise((resolve) => {
      void (async () => {
        for (;;) {
          await this.#once(resolve).catch(() => new Promise((next) => setTimeout(next, RETRY_MS)));
        }
      })();
    });
  }

  async #once(begun: () => void): Promise<void> {
    const connection = await openConnection(this.#target, 'h2');
    try {
      const path = `${this.#path}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
      this.#line = '';
      this.#isFirst = true;
      const watch = await connection.watch(path, (chunk) => this.#read(chunk));
      this.reconnects += 1;
      begun();
      await watch.ended;
    } catch (error) {
      if (String(error).includes('410')) await this.#relist();
      throw error;
    } finally {
      connection.close();
    }
  }

  #read(chunk: Buffer): void {
    const lines = (this.#line + chunk.toString('latin1')).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#event(line);
  }

  #event(line: string): void {
    if (line.startsWith('{"type":"ERROR"')) {
      // The stream ends behind it, and the next attempt hears the same.
      if (line.includes('"code":410')) {
        this.#version = 0n;
        this.relists += 1;
      }
      return;
    }
    const version = BigInt(VERSION.exec(line)?.[1] ?? '0');
    if (line.startsWith('{"type":"BOOKMARK"')) {
      if (version > this.#version) this.#version = version;
      return;
    }
    if (version <= this.#version) this.repeated += 1;
    this.#version = version;
    this.#count += 1;
    this.#hash = (Math.imul(this.#hash, 31) + Number(version % 1_000_003n)) >>> 0;
    if (this.#isFirst) this.resumedAt = monotonicMs();
    this.#isFirst = false;
  }

  async #relist(): Promise<void> {
    this.relists += 1;
    const connection = await openConnection(this.#target, 'h2');
    try {
      const { body } = await connection.ask({ path: `${this.#path}?resourceVersion=0&limit=500`, keep: true });
      this.#version = BigInt(VERSION.exec(body)?.[1] ?? '0');
    } finally {
      connection.close();
    }
  }
}

async function follow(order: Extract<InformerOrder, { readonly type: 'follow' }>): Promise<void> {
  const { url, token, path, count, from } = order;
  for (let i = 0; i < count; i += 1) {
    const follower = new Follower({ name: '', url, token, pid: 0 }, path, from);
    followers.push(follower);
    await follower.follow();
  }
  answer({ type: 'following' });
}

function report(): void {
  const stories = new Map<string, number>();
  for (const { story } of followers) stories.set(story, (stories.get(story) ?? 0) + 1);
  const sum = (of: (follower: Follower) => number): number => followers.reduce((all, each) => all + of(each), 0);
  answer({
    type: 'report',
    stories: [...stories],
    reconnects: sum(({ reconnects }) => reconnects),
    relists: sum(({ relists }) => relists),
    repeated: sum(({ repeated }) => repeated),
    resumedAt: followers.map(({ resumedAt }) => resumedAt),
  });
}

process.on('message', (order: InformerOrder) => {
  if (order.type === 'report') return report();
  const work = order.type === 'sync' ? sync(order) : follow(order);
  work.catch((error: unknown) => answer({ type: 'failed', message: String(error) }));
});
process.once('disconnect', () => process.exit(0));
