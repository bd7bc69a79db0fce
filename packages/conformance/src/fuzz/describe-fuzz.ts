/** The fuzzer as a test: anything at all is sent to a server, which must answer as the API does and keep nothing. */

import { describe, expect, it } from 'vitest';
import { amount } from '../parts/long-run.ts';
import { ApiClient } from '../server/api-client.ts';
import { eventually } from '../storage/eventually.ts';
import type { ShapedKind } from './body-shape.ts';
import { runFuzz } from './fuzz-run.ts';
import type { FuzzedServer } from './fuzzed-server.ts';

export interface FuzzSuite {
  readonly name: string;
  readonly connect: () => Promise<FuzzedServer>;
  /** The kinds that the server serves. */
  readonly kinds: readonly ShapedKind[];
  /** Default: `FUZZ_REQUESTS`, or 6 000. */
  readonly requests?: number | undefined;
  /** Default: `TEST_SEED`, or 1; a failure names it. */
  readonly seed?: number | undefined;
}

/** As many complaints as one can read. */
const SHOWN = 10;

/** Statuses that a run must have met: a grammar that the server always refuses would prove nothing. */
export const EXPECTED_STATUSES: readonly number[] = [101, 200, 201, 400, 401, 404, 405, 406, 409, 413, 415, 422];

/** Declares the test for one server. */
export function describeFuzz(suite: FuzzSuite): void {
  const requests = suite.requests ?? Number(process.env['FUZZ_REQUESTS'] ?? amount(2000, 6000));
  const seed = suite.seed ?? Number(process.env['TEST_SEED'] ?? 1);
  describe(`bad input: ${suite.name}`, () => {
    it(
      `${requests} requests of any kind are answered as the API answers, and nothing is left behind`,
      async () => {
        await using server = await suite.connect();
        const { openSockets } = await server.report();
        const result = await runFuzz(server, { requests, seed, kinds: suite.kinds });
        expect(result.complaints.slice(0, SHOWN), `seed ${seed}`).toEqual([]);
        expect([...result.statuses.keys()]).toEqual(expect.arrayContaining([...EXPECTED_STATUSES]));
        await expectNothingLeft(server, seed);
        await eventually(
          'the sockets of the fuzzer to be closed',
          async () => (await server.report()).openSockets <= openSockets,
        );
      },
      120_000 + requests * 10,
    );
  });
}

/** No watcher in the caches, no request that is still being answered. */
async function expectNothingLeft(server: FuzzedServer, seed: number): Promise<void> {
  const api = new ApiClient(server);
  let left: readonly string[] = [];
  const isEmpty = async (): Promise<boolean> => {
    left = await leftovers(api);
    return left.length === 0;
  };
  await eventually('everything to be over', isEmpty).catch(() => undefined);
  expect(left, `seed ${seed}`).toEqual([]);
  expect((await api.get('/healthz')).text).toBe('ok');
  api.close();
}

async function leftovers(api: ApiClient): Promise<readonly string[]> {
  const { resources } = (await api.get('/debug/cache')).document;
  if (!Array.isArray(resources)) return ['/debug/cache shows no resources'];
  const watched = resources.flatMap(({ resource, watchers, channels }) =>
    watchers === 0 && channels === 0 ? [] : [`${watchers} watchers and ${channels} channels of ${resource}`],
  );
  const { text } = await api.get('/metrics');
  // The metrics are asked for in a request, which does not count itself.
  const gauges = [...text.matchAll(/^(apiserver_(?:current_inflight|longrunning)_requests\S*) (\d+)$/gmu)];
  if (gauges.length !== 3) return [...watched, `${gauges.length} gauges of requests instead of 3`];
  return [...watched, ...gauges.flatMap(([, name, value]) => (value === '0' ? [] : [`${name} ${value}`]))];
}
