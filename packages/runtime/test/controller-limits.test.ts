import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Controller, type ControllerOptions, controller, type Logger, sharedInformers } from '../src/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const nopes = resource({ group: 'example.com', version: 'v1', plural: 'nopes', kind: 'Nope', namespaced: true });

let env: TestEnvironment<FakeClock>;
let stop: AbortController;
let running: Promise<void>[];

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.allSettled(running);
  expect(env.faults.watches).toBe(0);
  await env.close();
});

type Options = Partial<ControllerOptions<ConfigMap>> & Pick<ControllerOptions<ConfigMap>, 'reconcile'>;

function start(options: Options): Controller {
  const started = controller<ConfigMap>(env.cluster, { for: configMaps, stopGraceMs: 0, ...options });
  running.push(started.run({ signal: stop.signal }));
  return started;
}

const write = (name: string, data: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const idle = (): void => {};
const byFor = (object: ApiObject): readonly string[] => [object.metadata.labels?.['for'] ?? ''];
const broken = (): never => {
  throw new Error('disk full');
};

/** A logger, and its lines. */
function recordLog(): {
  readonly logger: Logger;
  readonly lines: { readonly level: string; readonly facts: object; readonly message: string }[];
} {
  const lines: { readonly level: string; readonly facts: object; readonly message: string }[] = [];
  const line = (level: string) => (facts: object, message: string) => void lines.push({ level, facts, message });
  return { lines, logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') } };
}

const isSecretList = ({ path }: { readonly path: string }): boolean => path.includes('/secrets');

describe('a stuck reconcile', () => {
  it('is logged after a minute and each time that its time has doubled, and counted until it ends', async () => {
    const { logger, lines } = recordLog();
    let release = idle;
    const { metrics } = start({
      logger,
      reconcile: ({ key }) => (key.name === 'a' ? new Promise<void>((resolve) => (release = resolve)) : undefined),
    });
    await write('a');
    await eventually('the run', () => metrics.active === 1);
    await env.clock.advance(59_999);
    expect([metrics.stuck, lines]).toEqual([0, []]);
    await env.clock.advance(1);
    expect(metrics.stuck).toBe(1);
    await env.clock.advance(180_000);
    expect(lines.map(({ level, facts }) => [level, Reflect.get(facts, 'runningMs')])).toEqual([
      ['warn', 60_000],
      ['warn', 120_000],
      ['warn', 240_000],
    ]);
    expect(lines[0]).toMatchObject({ facts: { controller: 'configmap', key: 'default/a' } });
    release();
    await eventually('the end', () => metrics.active === 0);
    await env.clock.advance(1_000_000);
    expect([metrics.stuck, lines.length]).toEqual([0, 3]);
  });

  it('does not hold up other keys when there are more workers', async () => {
    const seen: string[] = [];
    let release = idle;
    start({
      concurrency: 2,
      reconcile: ({ key }) => {
        seen.push(key.name);
        return key.name === 'a' ? new Promise<void>((resolve) => (release = resolve)) : undefined;
      },
    });
    await write('a');
    await eventually('a', () => seen.includes('a'));
    await write('b');
    await eventually('b', () => seen.includes('b'));
    release();
  });
});

describe('a controller', () => {
  it('runs as many reconciles at once as it was told, and no more', async () => {
    const gates: (() => void)[] = [];
    const { metrics } = start({
      concurrency: 3,
      reconcile: () => new Promise<void>((resolve) => gates.push(resolve)),
    });
    for (let index = 0; index < 8; index++) await write(`m${index}`);
    await eventually('three', () => gates.length === 3);
    await env.clock.advance(0);
    expect([gates.length, metrics.active]).toEqual([3, 3]);
    let opened = 0;
    await eventually('all', () => {
      for (; opened < gates.length; opened++) gates[opened]?.();
      expect(metrics.active).toBeLessThanOrEqual(3);
      return metrics.reconciles.success >= 8 && metrics.active === 0;
    });
  });

  it('survives five thousand objects that all ask for another run', async () => {
    const runs = new Map<string, number>();
    const names = Array.from({ length: 5000 }, (_, index) => `n${index}`);
    const { metrics } = start({
      concurrency: 10,
      watches: [{ resource: secrets, map: () => names }],
      reconcile: ({ key }) => {
        runs.set(key.name, (runs.get(key.name) ?? 0) + 1);
        return { requeueAfterMs: 1 };
      },
    });
    await env.cluster.create(secrets, { metadata: { name: 's', namespace: 'default' } });
    await eventually('three runs of each', async () => {
      await env.clock.advance(1);
      return metrics.reconciles.requeue_after >= 15_000;
    });
    for (const name of names) expect(runs.get(name)).toBeGreaterThanOrEqual(2);
  });

  it('starts no reconcile before the last cache is complete, and then runs a key once for all changes', async () => {
    await write('a');
    const seen: string[] = [];
    const list = env.faults.stall({ match: isSecretList });
    const { metrics } = start({
      owns: [secrets],
      reconcile: ({ object }) => void seen.push(object?.data?.['v'] ?? '-'),
    });
    await eventually('the first change', () => metrics.queue.adds > 0);
    for (const v of ['1', '2', '3']) await write('a', { v });
    await env.clock.advance(1000);
    expect(seen).toEqual([]);
    list.restore();
    await eventually('the run', () => seen.length > 0);
    await env.clock.advance(1000);
    expect(seen).toEqual(['3']);
  });

  it('reads the indexes that its selections ask for', async () => {
    const found: string[] = [];
    start({
      selection: { namespace: 'default', indexes: { byData: ({ data = {} }) => Object.keys(data) } },
      watches: [
        {
          resource: secrets,
          map: ({ metadata }) => [{ namespace: 'default', name: metadata.labels?.['for'] ?? 'none' }],
          selection: { labelSelector: 'for', indexes: { byFor } },
        },
      ],
      reconcile: ({ key, object }, { store }) => {
        const mine = store(secrets).keysByIndex('byFor', key.name);
        found.push(
          `${key.toString()} ${mine.join()} ${store(configMaps).keysByIndex('byData', 'x').join()} ${object !== undefined}`,
        );
      },
    });
    await write('a', { x: '1' });
    await env.cluster.create(secrets, { metadata: { name: 's', namespace: 'default', labels: { for: 'a' } } });
    await eventually('both', () => found.includes('default/a default/s default/a true'));
  });

  it('keeps the priority of a key for its next run, unless the result names another', async () => {
    await write('low');
    const seen: string[] = [];
    const gates: (() => void)[] = [];
    const { metrics } = start({
      reconcile: ({ key }) => {
        seen.push(key.name);
        if (key.name === 'gate') return new Promise<void>((resolve) => gates.push(resolve));
        if (seen.filter((name) => name === key.name).length > 1) return undefined;
        return key.name === 'raised' ? { requeueAfterMs: 10, priority: 5 } : { requeueAfterMs: 10 };
      },
    });
    await eventually('the first list', () => seen.includes('low'));
    for (const name of ['plain', 'raised', 'gate']) await write(name);
    await eventually('the gate', () => gates.length === 1 && metrics.queue.delayed === 3);
    seen.length = 0;
    await env.clock.advance(10);
    seen.push('low', 'plain', 'raised');
    gates[0]?.();
    await eventually('the next runs', () => seen.length === 6);
    expect(seen.slice(3)).toEqual(['raised', 'plain', 'low']);
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new TypeError('broken');
      },
    ],
    ['throws something that is no error', () => Promise.reject('a text')],
    ['asks for a time that is none', () => ({ requeueAfterMs: Number.NaN })],
  ])('backs off from a reconcile that %s', async (_, fail) => {
    const { logger, lines } = recordLog();
    let runs = 0;
    const { metrics } = start({ logger, reconcile: () => (++runs === 1 ? fail() : undefined) });
    await write('a');
    await eventually('the failure', () => metrics.reconciles.error === 1);
    await env.clock.advance(5);
    await eventually('the next run', () => metrics.reconciles.success >= 1);
    expect(lines.map(({ message }) => message)).toEqual(['the reconcile failed']);
  });

  it('goes on when its logger throws', async () => {
    let runs = 0;
    const { metrics } = start({
      logger: { debug: broken, info: broken, warn: broken, error: broken },
      reconcile: (_request, { log }) => {
        log.info({}, 'running');
        if (++runs < 3) throw new Error('not yet');
      },
    });
    await write('a');
    await eventually('the third run', async () => {
      await env.clock.advance(10);
      return metrics.reconciles.success >= 1;
    });
    expect(metrics.reconciles.error).toBe(2);
  });
});

describe('a kind that is not served', () => {
  it('is logged at once and named in the error when the time is over', async () => {
    const { logger, lines } = recordLog();
    const started = controller<ConfigMap>(env.cluster, {
      for: configMaps,
      watches: [{ resource: nopes, map: () => [] }],
      logger,
      syncTimeoutMs: 5000,
      reconcile: () => undefined,
    });
    const refused = expect(started.run()).rejects.toMatchObject({
      code: 'SYNC_TIMEOUT',
      message: expect.stringContaining('nopes.example.com: '),
      cause: { cause: { reason: 'NotFound' } },
    });
    await eventually('the warning', () => lines.length > 0);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      facts: { controller: 'configmap', resource: 'nopes.example.com', error: { cause: { reason: 'NotFound' } } },
      message: 'a cache cannot be filled; no reconcile starts before it is',
    });
    for (let second = 0; second < 5; second++) await env.clock.advance(1000);
    await refused;
  });

  it('or a selection that cannot be read leaves nothing behind', async () => {
    const informers = sharedInformers(env.cluster);
    const started = controller<ConfigMap>(env.cluster, {
      for: configMaps,
      informers,
      watches: [{ resource: secrets, map: () => [], selection: { labelSelector: 'a in (' } }],
      reconcile: () => undefined,
    });
    await expect(started.run()).rejects.toThrow(/labelSelector/);
    await eventually('nothing', () => informers.size === 0);
  });
});

describe('a write', () => {
  it.each([
    ['that the selection of a cache leaves out is not waited for', { labelSelector: 'app=web' }, 0],
    ['in one of several namespaces is seen without the others', { namespaces: ['default', 'kube-system'] }, 1],
  ])('%s', async (_, selection, expected) => {
    const sizes: number[] = [];
    const { metrics } = start({
      watches: [{ resource: secrets, map: () => [], selection }],
      reconcile: async ({ key }, { cluster, store }) => {
        if (key.name !== 'a') return undefined;
        sizes.push(store(secrets).size);
        if (sizes.length > 1) return undefined;
        await cluster.create(secrets, { metadata: { name: 's', namespace: 'default' } });
        return { requeueAfterMs: 1 };
      },
    });
    await write('a');
    await eventually('the first run', () => sizes.length === 1 && metrics.active === 0);
    await env.clock.advance(1);
    // Time stands still: a wait until the limit would never end.
    await eventually('the second run', () => sizes.length === 2);
    expect([sizes, metrics.staleStarts]).toEqual([[0, expected], 0]);
  });

  it('in one of several namespaces is waited for until its event comes', async () => {
    const sizes: number[] = [];
    let isSynced = false;
    const { metrics } = start({
      watches: [{ resource: secrets, map: () => [], selection: { namespaces: ['default', 'kube-system'] } }],
      reconcile: async ({ key }, { cluster, store }) => {
        isSynced = true;
        if (key.name !== 'a') return undefined;
        sizes.push(store(secrets).size);
        if (sizes.length > 1) return undefined;
        await cluster.create(secrets, { metadata: { name: 's', namespace: 'default' } });
        return { requeueAfterMs: 1 };
      },
    });
    await write('first');
    await eventually('the caches', () => isSynced);
    const watch = env.faults.stall({ match: ({ path }) => isSecretList({ path }) && path.includes('watch=') });
    await write('a');
    await eventually('the first run', () => sizes.length === 1 && metrics.active === 0);
    await env.clock.advance(1);
    await eventually('the wait', () => metrics.queue.processing === 1);
    expect(sizes).toEqual([0]);
    watch.restore();
    await eventually('the second run', () => sizes.length === 2);
    expect([sizes, metrics.staleStarts]).toEqual([[0, 1], 0]);
  });
});

describe('a stop', () => {
  it('before the start runs nothing', async () => {
    stop.abort();
    let runs = 0;
    await write('a');
    const { metrics } = start({ reconcile: () => void runs++ });
    await Promise.all(running);
    expect([runs, metrics.active, env.faults.watches]).toEqual([0, 0, 0]);
  });

  it('at any moment ends the run, and no reconcile begins or goes on after that', async () => {
    for (let turns = 0; turns < 60; turns++) {
      await write(`a${turns % 3}`, { turn: String(turns) });
      const once = new AbortController();
      let isOver = false;
      let active = 0;
      const started = controller<ConfigMap>(env.cluster, {
        for: configMaps,
        owns: [secrets],
        concurrency: 2,
        reconcile: async (_request, { signal }) => {
          expect(isOver).toBe(false);
          active++;
          await new Promise(setImmediate);
          expect(signal.aborted && isOver).toBe(false);
          active--;
        },
      });
      const ran = started.run({ signal: once.signal });
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      once.abort();
      await ran;
      isOver = true;
      expect([active, started.metrics.active, env.faults.watches]).toEqual([0, 0, 0]);
    }
  });

  it('while a key waits for its writes starts no other reconcile', async () => {
    let runs = 0;
    let isSynced = false;
    const { metrics } = start({
      watches: [{ resource: secrets, map: () => [] }],
      reconcile: async ({ key }, { cluster }) => {
        isSynced = true;
        if (key.name !== 'a') return undefined;
        runs++;
        await cluster.create(secrets, { metadata: { name: 's', namespace: 'default' } });
        return { requeueAfterMs: 1 };
      },
    });
    await write('first');
    await eventually('the caches', () => isSynced);
    env.faults.stall({ match: ({ path }) => isSecretList({ path }) && path.includes('watch=') });
    await write('a');
    await eventually('the first run', () => runs === 1 && metrics.active === 0);
    await env.clock.advance(1);
    await eventually('the wait', () => metrics.queue.processing === 1);
    stop.abort();
    await Promise.all(running);
    expect([runs, metrics.queue.processing]).toEqual([1, 0]);
  });
});
