import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { PassLimit } from './pass-limit.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its name is read
const kindOf = (name: string): RelayedKind => ({ name }) as unknown as RelayedKind;
const PODS = kindOf('pods');

/** The status of one more. */
function enter(limit: PassLimit, kind: RelayedKind, signal: AbortSignal, isWatch = false): number {
  try {
    limit.enter(kind, isWatch, signal);
    return 0;
  } catch (error) {
    return error instanceof Error && 'httpCode' in error ? Number(error.httpCode) : -1;
  }
}

it('lets four large requests of a kind pass at once, and others when one has ended', () => {
  const limit = new PassLimit(new FakeClock());
  const clients = Array.from({ length: 5 }, () => new AbortController());
  expect(clients.map(({ signal }) => enter(limit, PODS, signal))).toEqual([0, 0, 0, 0, 429]);
  expect(enter(limit, kindOf('nodes'), new AbortController().signal)).toBe(0);
  expect(limit.refused).toBe(1);
  clients[0]?.abort();
  clients[0]?.abort();
  expect(enter(limit, PODS, new AbortController().signal)).toBe(0);
  expect(enter(limit, PODS, new AbortController().signal)).toBe(429);
});

it('counts a watch for 10 s: by then it has its objects', async () => {
  const clock = new FakeClock();
  const limit = new PassLimit(clock);
  for (let at = 0; at < 4; at += 1) enter(limit, PODS, new AbortController().signal, true);
  await clock.advance(9999);
  expect(enter(limit, PODS, new AbortController().signal)).toBe(429);
  await clock.advance(1);
  expect(enter(limit, PODS, new AbortController().signal)).toBe(0);
});
