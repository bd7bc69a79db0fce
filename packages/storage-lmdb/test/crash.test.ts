import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFlags } from '@listwatch/conformance/parts';
import { WatchRecorder } from '@listwatch/conformance/storage';
import type { StorageEvent } from '@listwatch/storage';
import { afterEach, expect, it } from 'vitest';
import { type LmdbEngine, openLmdbEngine } from '../src/index.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 10);
const writer = fileURLToPath(new URL('crash-writer.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'listwatch-crash-'));

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Lets a child write until it has acknowledged `commits`, kills it at that instant, and returns all it acknowledged. */
async function writeAndDie(seed: number, commits: number, compactTo: bigint): Promise<ReadonlyMap<bigint, string>> {
  const args = [...packageFlags(), '--import', 'tsx', writer, folder, String(seed), String(compactTo)];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { stdout } = child;
  if (stdout === null) throw new Error('the child has no output');
  let text = '';
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > commits) child?.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  // The last piece is empty, or a line that the kill tore in two.
  const lines = text
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith('open '));
  return new Map(lines.map((line) => [BigInt(line.slice(0, line.indexOf(' '))), line.slice(line.indexOf(' ') + 1)]));
}

async function eventsAfter(engine: LmdbEngine, after: bigint): Promise<readonly StorageEvent[]> {
  const recorder = WatchRecorder.open(engine, { prefix: '', after });
  recorder.requestProgress();
  await recorder.reached(await engine.revision());
  await recorder.stop();
  return recorder.events;
}

function describeEvent(event: StorageEvent): string {
  return `${event.type} ${event.key} ${event.type === 'put' ? Buffer.from(event.value).toString() : ''}`;
}

it(
  `after SIGKILL at ${ROUNDS} random instants every acknowledged commit is there, in one line, and nothing is half-written`,
  async () => {
    const truth = new Map<bigint, string>();
    const state = new Map<string, string>();
    let known = 1n;
    let acknowledged = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      // Each round compacts to where the one before it ended, so the kill also meets the sweeper at work.
      const acks = await writeAndDie(round, 20 + ((round * 7919) % 1500), known);
      acknowledged += acks.size;
      const engine = await openLmdbEngine({ path: folder });
      expect(await engine.verify()).toEqual([]);
      const events = await eventsAfter(engine, known);
      expect(events.map((event) => event.revision)).toEqual(events.map((_, index) => known + 1n + BigInt(index)));
      for (const event of events) {
        truth.set(event.revision, describeEvent(event));
        if (event.type === 'put') state.set(event.key, Buffer.from(event.value).toString());
        else state.delete(event.key);
      }
      for (const [revision, ack] of acks) expect(truth.get(revision)).toBe(ack);
      const { entries } = await engine.range('');
      expect(new Map(entries.map((entry) => [entry.key, Buffer.from(entry.value).toString()]))).toEqual(state);
      known = await engine.revision();
      await engine.close();
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * 10);
  },
  60_000 + ROUNDS * 10_000,
);
