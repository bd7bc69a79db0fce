import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GroupCommit } from './group-commit.ts';
import { type LmdbEngine, openLmdbEngine } from './lmdb-engine.ts';

const value = Buffer.from('v');
let folder = '';
let clock: FakeClock;
let engine: LmdbEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-keeper-'));
  clock = new FakeClock();
  engine = await openLmdbEngine({ path: folder, clock, history: { age: '1m' } });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
  rmSync(folder, { recursive: true });
});

async function put(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => engine.commit({ type: 'put', key: `k${i % 50}`, value })));
}

/** Compactions that the keeper has asked for. */
function compactions(): { readonly mock: { readonly calls: unknown[][] } } {
  return vi.spyOn(GroupCommit.prototype, 'compact');
}

function oldest(): bigint {
  return engine.report?.(0)?.oldest ?? 0n;
}

it('a look that finds more than one step of old records goes on in steps, ends, and asks for nothing again', async () => {
  await put(2500);
  const asked = compactions();
  const swept = vi.spyOn(GroupCommit.prototype, 'sweep');
  await clock.advance(120_000);
  const last = await engine.revision();
  await eventually('all that is old is compacted', () => oldest() >= last);
  await eventually('the space is given back', () => swept.mock.calls.length > 0);
  // One that is not further than the last would be refused, and the space not be given back.
  const targets = asked.mock.calls.map(([target]) => Number(target));
  expect(targets).toEqual([...new Set(targets)].toSorted((left, right) => left - right));
  const { length } = targets;
  expect(length).toBeGreaterThanOrEqual(3);
  // Many turns: a look that does not end would ask in each of them.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(asked.mock.calls).toHaveLength(length);
});

it('records that are young stay, and are compacted when their time has come', async () => {
  await put(10);
  await clock.advance(50_000);
  const young = (await engine.revision()) + 1n;
  await put(10);
  const asked = compactions();
  await clock.advance(30_000);
  await eventually('the old ones are compacted', () => asked.mock.calls.length > 0);
  expect(oldest()).toBeLessThanOrEqual(young);
});
