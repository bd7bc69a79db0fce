import { readFileSync } from 'node:fs';
import type { HistoryTimeline, OverviewMetric, ServerOverview } from '@listwatch/api/console';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it, vi } from 'vitest';
import { type ApiServer, createApiServer } from '../src/index.ts';

const ADMIN = { name: 'admin', groups: ['system:masters'] };
const START = Date.UTC(2026, 0, 1);

async function startServer(): Promise<{ readonly server: ApiServer; readonly clock: FakeClock }> {
  const clock = new FakeClock({ now: START });
  const server = createApiServer({ engine: createMemoryEngine({ clock, firstRevision: 1000n }), clock });
  await server.start();
  return { server, clock };
}

async function get(server: ApiServer, path: string, user = ADMIN): Promise<{ status: number; text: string }> {
  const answer = await server.handle({ method: 'GET', path, headers: {} }, { user });
  let text = '';
  for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
  return { status: answer.status, text };
}

async function overviewOf(server: ApiServer): Promise<ServerOverview> {
  const { status, text } = await get(server, '/debug/overview');
  expect(status).toBe(200);
  return JSON.parse(text);
}

async function historyOf(server: ApiServer): Promise<HistoryTimeline> {
  return JSON.parse((await get(server, '/debug/history')).text);
}

async function createConfigMap(server: ApiServer, name: string): Promise<void> {
  const answer = await server.handle(
    {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
    },
    { user: ADMIN },
  );
  expect(answer.status).toBe(201);
}

interface Followed {
  readonly lines: string[];
  readonly stop: () => void;
}

/** The lines of a stream, as they come. */
async function follow(server: ApiServer, path: string): Promise<Followed> {
  const stop = new AbortController();
  const answer = await server.handle({ method: 'GET', path, headers: {}, signal: stop.signal }, { user: ADMIN });
  expect(answer.status).toBe(200);
  const lines: string[] = [];
  void (async () => {
    for await (const chunk of answer.body)
      for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) lines.push(line);
  })().catch(() => {});
  return { lines, stop: () => stop.abort() };
}

function pointsIn(line = '{}'): number {
  const { series }: ServerOverview = JSON.parse(line);
  return series.times.length;
}

function valuesOf({ series }: ServerOverview, metric: OverviewMetric): readonly (number | null)[] {
  return series.lines.find((line) => line.metric === metric)?.values ?? [];
}

describe('/debug/overview', () => {
  it('says what the server is, holds and does', async () => {
    const { server, clock } = await startServer();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createConfigMap(server, name);
    await clock.advance(10_000);
    const body = await overviewOf(server);
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(body).toMatchObject({
      at: '2026-01-01T00:00:10.000Z',
      server: { version, gitVersion: expect.stringMatching(/^v1\.\d+\.\d+\+listwatch$/u), uptimeSeconds: 10 },
      storage: {
        engine: 'memory',
        oldestResourceVersion: '1000',
        historySeconds: 86_400,
        historyMaxBytes: 2 ** 30,
        diskBytes: null,
        full: false,
      },
      health: { ready: true },
    });
    expect(body.health.checks).toContainEqual({ name: 'storage', ok: true });
    expect(body.process.residentBytes).toBeGreaterThan(1e6);
    const configMaps = body.kinds.find(({ resource }) => resource === 'configmaps');
    // The five, and kube-root-ca.crt where a controller makes one.
    expect(configMaps).toMatchObject({
      group: '',
      version: 'v1',
      kind: 'ConfigMap',
      namespaced: true,
      objects: 5,
      changesPerSecond: 0.5,
      oldestOnDisk: '1000',
      watchers: 0,
      slowWatchers: 0,
    });
    expect(configMaps?.bytes).toBeGreaterThan(500);
    expect(body.series.stepSeconds).toBe(5);
    expect(body.series.times).toEqual([START / 1000 + 5, START / 1000 + 10]);
    expect(valuesOf(body, 'changesPerSecond')).toEqual([1, 0]);
    const posts = body.series.lines.find(({ labels }) => labels?.verb === 'POST' && labels.code === '201');
    expect(posts?.values).toEqual([1, 0]);
    await server.close();
  });

  it('bytes follow updates and deletes', async () => {
    const { server } = await startServer();
    await createConfigMap(server, 'a');
    const bytesNow = async (): Promise<number> =>
      (await overviewOf(server)).kinds.find(({ resource }) => resource === 'configmaps')?.bytes ?? -1;
    const before = await bytesNow();
    await createConfigMap(server, 'b');
    expect(await bytesNow()).toBe(2 * before);
    await server.handle(
      { method: 'DELETE', path: '/api/v1/namespaces/default/configmaps/b', headers: {} },
      { user: ADMIN },
    );
    await vi.waitFor(async () => expect(await bytesNow()).toBe(before), 20_000);
    await server.close();
  });

  it('keeps an hour and no more, and nulls where a line had no value', async () => {
    const { server, clock } = await startServer();
    await clock.advance(2 * 60 * 60_000);
    await createConfigMap(server, 'late');
    await clock.advance(5000);
    const body = await overviewOf(server);
    expect(body.series.times).toHaveLength(720);
    const posts = body.series.lines.find(({ labels }) => labels?.verb === 'POST');
    expect(posts?.values.filter((value) => value !== null)).toEqual([0.2]);
    expect(valuesOf(body, 'deliveryP99').at(-1)).toBeNull();
    await server.close();
  });

  it('is a stream with watch=true: a line a second, each with only the new points, until the client goes', async () => {
    const { server, clock } = await startServer();
    await clock.advance(20_000);
    const { lines, stop } = await follow(server, '/debug/overview?watch=true');
    await vi.waitFor(() => expect(lines).toHaveLength(1), 20_000);
    expect(pointsIn(lines[0])).toBe(4);
    for (let seconds = 1; seconds <= 6; seconds += 1) {
      await clock.advance(1000);
      await vi.waitFor(() => expect(lines).toHaveLength(seconds + 1), 20_000);
    }
    expect(
      lines
        .slice(1)
        .map(pointsIn)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 0, 0, 0, 0, 1]);
    stop();
    await vi.waitFor(async () => {
      await clock.advance(1000);
      expect(lines).toHaveLength(7);
    }, 20_000);
    await server.close();
  });

  it('takes no place of a read: it counts as a watch', async () => {
    const clock = new FakeClock();
    const server = createApiServer({ engine: createMemoryEngine({ clock }), clock, maxReadsInFlight: 1 });
    await server.start();
    const streams = await Promise.all([1, 2, 3].map(() => follow(server, '/debug/overview?watch=true')));
    expect((await get(server, '/api/v1/namespaces')).status).toBe(200);
    for (const { stop } of streams) stop();
    await server.close();
  });
});

describe('/debug/history', () => {
  it('has versions with their times, as the store knows them', async () => {
    const { server, clock } = await startServer();
    await createConfigMap(server, 'a');
    await clock.advance(60_000);
    await createConfigMap(server, 'b');
    const body = await historyOf(server);
    expect(body.oldest.resourceVersion).toBe('1000');
    expect(body.newest.at).toBe('2026-01-01T00:01:00.000Z');
    const at = (back: number): string | null | undefined => body.points.at(-back)?.at;
    expect([at(2), at(1)]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z']);
    expect(body.points.at(-1)?.resourceVersion).toBe(body.newest.resourceVersion);
    await server.close();
  });

  it('is a stream with watch=true: the whole, then a line for each new version', async () => {
    const { server, clock } = await startServer();
    const { lines, stop } = await follow(server, '/debug/history?watch=true');
    await vi.waitFor(() => expect(lines).toHaveLength(1), 20_000);
    await clock.advance(3000);
    expect(lines).toHaveLength(1);
    await createConfigMap(server, 'a');
    await clock.advance(1000);
    await vi.waitFor(() => expect(lines).toHaveLength(2), 20_000);
    const [first, second]: readonly HistoryTimeline[] = lines.map((line) => JSON.parse(line));
    expect(second?.points).toEqual([second?.newest]);
    expect(second?.oldest).toEqual(first?.oldest);
    stop();
    await server.close();
  });

  it('has the times at which the server saw a version, where the store does not know them', async () => {
    const clock = new FakeClock({ now: START });
    const engine = createMemoryEngine({ clock, firstRevision: 1000n });
    const unknown = { historyBytes: undefined, diskBytes: undefined, oldest: undefined };
    engine.report = () => ({ name: 'etcd', ...unknown, historyAgeMs: 60_000, times: [] });
    const server = createApiServer({ engine, clock });
    await server.start();
    const { newest: first } = await historyOf(server);
    await clock.advance(30_000);
    await createConfigMap(server, 'a');
    await clock.advance(5000);
    const both = await historyOf(server);
    expect(both.oldest).toEqual({ ...first, at: '2026-01-01T00:00:00.000Z' });
    expect(both.points.map(({ at }) => at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:35.000Z']);
    // The first version is older than what the store promises to keep.
    await clock.advance(40_000);
    const later = await historyOf(server);
    expect(later.oldest).toEqual(later.newest);
    expect((await overviewOf(server)).storage).toMatchObject({ engine: 'etcd', oldestResourceVersion: null });
    await server.close();
  });

  it('has at most 500 points of a long history', async () => {
    const { server } = await startServer();
    for (let i = 0; i < 600; i += 1) await createConfigMap(server, `c${i}`);
    const body = await historyOf(server);
    expect(body.points).toHaveLength(500);
    const versions = body.points.map(({ resourceVersion }) => Number(resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(500);
    await server.close();
  });
});

it.each(['/debug/overview', '/debug/history', '/debug/overview?watch=true'])(
  '%s is for those who are allowed',
  async (path) => {
    const { server } = await startServer();
    for (const user of [
      { name: 'somebody', groups: [] },
      { name: 'system:anonymous', groups: ['system:unauthenticated'] },
    ])
      expect((await get(server, path, user)).status).toBe(403);
    await server.close();
  },
);
