import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Condition,
  type Controller,
  type ControllerOptions,
  controller,
  type Reconcile,
  setCondition,
  withFinalizer,
} from '../src/index.ts';

interface Node extends ApiObject {
  readonly spec?: { readonly podCIDR?: string };
  readonly status?: {
    readonly phase?: string;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

const nodes = resource<Node>({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const target = { name: 'n' };
const FINALIZER = 'example.com/cleanup';

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
  await env.close();
});

function start(reconcile: Reconcile<Node>, options: Partial<ControllerOptions<Node>> = {}): Controller {
  const started = controller<Node>(env.cluster, { for: nodes, stopGraceMs: 0, ...options, reconcile });
  running.push(started.run({ signal: stop.signal }));
  return started;
}

const create = (more: object = {}): Promise<Node> => env.cluster.create(nodes, { metadata: { name: 'n', ...more } });
const read = (): Promise<Node> => env.cluster.get(nodes, target);
/** The write that follows a cleanup takes the object away. */
const gone = (): Promise<void> =>
  vi.waitFor(() => expect(read()).rejects.toMatchObject({ reason: 'NotFound' }), 20_000);
const addFinalizers = (...finalizers: string[]): Promise<Node> =>
  env.cluster.patch(nodes, target, { type: 'merge', body: { metadata: { finalizers } } });

/** The bodies of the patches that are sent from now on. */
function recordPatches(): unknown[] {
  const bodies: unknown[] = [];
  const seen = new WeakSet<object>();
  env.faults.delay(0, {
    match: (request) => {
      // Every point at which a fault can strike asks once.
      if (request.method !== 'PATCH' || seen.has(request)) return false;
      seen.add(request);
      const body: unknown = JSON.parse(new TextDecoder().decode(request.body));
      bodies.push({ path: request.path, ...Object(body) });
      return false;
    },
  });
  return bodies;
}

describe('patchStatus', () => {
  it('writes only what differs from the cached object, and nothing when nothing does', async () => {
    await create();
    const bodies = recordPatches();
    const seen: (string | undefined)[] = [];
    start(async ({ object }, { patchStatus }) => {
      const after = await patchStatus({ phase: 'Running', capacity: { cpu: '4', pods: '10' } });
      seen.push(`${object?.status?.phase} ${after?.status?.phase}`);
    });
    await eventually('both runs', () => seen.length === 2);
    expect(seen).toEqual(['undefined Running', 'Running Running']);
    const status = { phase: 'Running', capacity: { cpu: '4', pods: '10' } };
    expect(bodies).toMatchObject([{ path: '/api/v1/nodes/n/status?fieldManager=node', status }]);
  });

  it('leaves fields alone that it is not given, and removes those that are null', async () => {
    await create();
    const { metadata } = await read();
    const status = { phase: 'Running', capacity: { cpu: '4', pods: '10' } };
    await env.cluster.update(nodes, { metadata, status }, { subresource: 'status' });
    const bodies = recordPatches();
    let runs = 0;
    start(async (_request, { patchStatus }) => {
      await patchStatus({ phase: undefined, capacity: { cpu: null } });
      runs++;
    });
    await eventually('both runs', () => runs === 2);
    expect(bodies).toMatchObject([{ status: { capacity: { cpu: null } } }]);
    expect((await read()).status).toEqual(expect.objectContaining({ phase: 'Running', capacity: { pods: '10' } }));
  });

  it('does not overwrite a condition that another has set meanwhile: the reconcile is repeated', async () => {
    await create();
    const outcomes: string[] = [];
    const { metrics } = start(async ({ object }, { patchStatus }) => {
      if (outcomes.length === 0) await setReady('Other');
      const conditions = setCondition(
        object?.status?.conditions,
        { type: 'Ready', status: 'True', reason: 'Up' },
        env.clock,
      );
      outcomes.push('tried');
      await patchStatus({ conditions });
      outcomes.push('wrote');
    });
    await eventually('the first try', () => metrics.reconciles.error === 1);
    await env.clock.advance(5);
    await eventually('rest', () => outcomes.at(-1) === 'wrote' && metrics.active === 0);
    expect((await read()).status?.conditions?.map(({ type }) => type)).toEqual(['Other', 'Ready']);
    expect(outcomes.slice(0, 3)).toEqual(['tried', 'tried', 'wrote']);
  });

  it('builds on the earlier writes of the same reconcile, also on those through the cluster', async () => {
    await create();
    const bodies = recordPatches();
    let runs = 0;
    start(async ({ object }, { cluster, patchStatus }) => {
      runs++;
      if (object === undefined || runs > 1) return;
      await patchStatus({ phase: 'Pending' });
      await cluster.patch(nodes, target, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
      await patchStatus({ phase: 'Running' });
      await patchStatus({ phase: 'Running' });
    });
    await eventually('the second run', () => runs === 2);
    expect(bodies).toHaveLength(3);
    expect(await read()).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } });
  });

  it('does nothing for an object that is gone, and does not touch another of the same name', async () => {
    await create();
    const answers: unknown[] = [];
    const { metrics } = start(async ({ object }, { patchStatus }) => {
      if (answers.length === 0) await env.cluster.delete(nodes, target);
      answers.push(await patchStatus({ phase: object === undefined ? 'Gone' : 'Running' }));
      if (object !== undefined) answers.push(object.metadata.uid);
    });
    await eventually('the delete', () => answers.length === 3);
    expect([answers[0], answers[2]]).toEqual([undefined, undefined]);
    stop.abort();
    await Promise.all(running);
    expect(metrics.reconciles).toMatchObject({ success: 2 });

    const first = await create();
    stop = new AbortController();
    const phases: (string | undefined)[] = [];
    const again = start(async ({ object }, { patchStatus }) => {
      if (object?.metadata.uid === first.metadata.uid) {
        await env.cluster.delete(nodes, target);
        await create();
        await patchStatus({ phase: 'Running' });
      }
      phases.push(object?.status?.phase);
    });
    await eventually('the conflict', () => again.metrics.reconciles.error === 1);
    await env.clock.advance(5);
    await eventually('the new object', () => phases.length > 0);
    expect((await read()).status?.phase).toBeUndefined();
  });

  it('sends all of the status when the cache does not keep it', async () => {
    await create();
    await env.cluster.patch(
      nodes,
      target,
      { type: 'merge', body: { status: { phase: 'Running' } } },
      { subresource: 'status' },
    );
    let runs = 0;
    start(
      async (_request, { patchStatus }) => {
        await patchStatus({ phase: null });
        runs++;
      },
      { selection: { projection: 'metadata' } },
    );
    await eventually('a run', () => runs > 0);
    expect((await read()).status?.phase).toBeUndefined();
  });

  it('says that a resource has no status', async () => {
    const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
    await env.cluster.create(configMaps, { metadata: { name: 'c', namespace: 'default' } });
    let failure: unknown;
    const maps = controller(env.cluster, {
      for: configMaps,
      stopGraceMs: 0,
      reconcile: async ({ object }, { patchStatus }) => {
        if (object?.metadata.name === 'c') await patchStatus({ a: 1 }).catch((error: unknown) => (failure = error));
      },
    });
    running.push(maps.run({ signal: stop.signal }));
    await eventually('the failure', () => failure !== undefined);
    expect(failure).toMatchObject({ code: 'STATUS', reason: 'NotFound' });
  });
});

async function setReady(type: string): Promise<void> {
  const conditions = setCondition((await read()).status?.conditions, { type, status: 'True', reason: 'Up' }, env.clock);
  await env.cluster.patch(
    nodes,
    target,
    { type: 'merge', body: { status: { conditions } } },
    { subresource: 'status' },
  );
}

describe('finalizers', () => {
  it('are added beside those of others before the object is handed out, once', async () => {
    await create({ finalizers: ['example.com/other'] });
    const bodies = recordPatches();
    const seen: unknown[] = [];
    start(async (_request, { ensureFinalizer }) => {
      seen.push((await ensureFinalizer(FINALIZER))?.metadata.finalizers);
    });
    await eventually('both runs', () => seen.length === 2);
    expect(seen).toEqual([
      ['example.com/other', FINALIZER],
      ['example.com/other', FINALIZER],
    ]);
    expect(bodies).toHaveLength(1);
  });

  it('that others add or remove at the same time are kept as they are', async () => {
    await create({ finalizers: ['example.com/a', 'example.com/b'] });
    const seen: unknown[] = [];
    start(async (_request, { ensureFinalizer }) => {
      if (seen.length === 0) await addFinalizers('example.com/b', 'example.com/c');
      seen.push((await ensureFinalizer(FINALIZER))?.metadata.finalizers);
    });
    await eventually('a run', () => seen.length > 0);
    expect(seen[0]).toEqual(['example.com/b', 'example.com/c', FINALIZER]);
  });

  it('hold an object until the cleanup has succeeded', async () => {
    await create({ finalizers: [FINALIZER, 'example.com/other'] });
    let cleanups = 0;
    const answers: boolean[] = [];
    start(async (_request, { finalize }) => {
      answers.push(
        await finalize(FINALIZER, async ({ metadata }) => {
          expect((await read()).metadata.finalizers).toContain(FINALIZER);
          expect(metadata.deletionTimestamp).toBeDefined();
          if (++cleanups < 3) throw new Error('not yet');
        }),
      );
    });
    await eventually('the first run', () => answers.length === 1);
    expect(answers).toEqual([false]);
    await env.cluster.delete(nodes, target);
    await eventually('the first cleanup', () => cleanups === 1);
    await env.clock.advance(5);
    await eventually('the second cleanup', () => cleanups === 2);
    await env.clock.advance(10);
    await eventually('the run after the last', () => answers.length === 3);
    expect((await read()).metadata.finalizers).toEqual(['example.com/other']);
    await addFinalizers();
    await eventually('the end', () => answers.length === 4);
    expect([answers, cleanups]).toEqual([[false, true, true, true], 3]);
  });

  it('are not added to an object that is being deleted, as the server would refuse them', async () => {
    await create({ finalizers: ['example.com/other'] });
    await env.cluster.delete(nodes, target);
    const bodies = recordPatches();
    const seen: unknown[] = [];
    start(async (_request, { ensureFinalizer }) => void seen.push(await ensureFinalizer(FINALIZER)));
    await eventually('a run', () => seen.length === 1);
    expect([seen, bodies]).toEqual([[undefined], []]);
  });

  it('do not run the cleanup a second time while the cache still shows the object that has gone', async () => {
    await create({ finalizers: [FINALIZER] });
    let cleanups = 0;
    let runs = 0;
    start(
      async ({ key }, { finalize }) => {
        if (key.name !== 'n') return undefined;
        runs++;
        const isGoing = await finalize(FINALIZER, () => {
          cleanups++;
          env.faults.stall({ match: ({ path }) => path.includes('watch=') });
        });
        return isGoing ? { requeueAfterMs: 1 } : undefined;
      },
      { readYourWritesMs: 1000 },
    );
    await eventually('the first run', () => runs === 1);
    await env.cluster.delete(nodes, target);
    await eventually('the cleanup', () => cleanups === 1);
    await gone();
    await env.clock.advance(500);
    expect([runs, cleanups]).toEqual([2, 1]);
    env.faults.restoreAll();
    await eventually('the delete', () => runs >= 3);
    expect(cleanups).toBe(1);
  });

  it('of another object of the same name are left alone', async () => {
    const first = await create({ finalizers: [FINALIZER] });
    await env.cluster.delete(nodes, target);
    const seen: unknown[] = [];
    start(async ({ object }, { finalize }) => {
      if (object?.metadata.uid !== first.metadata.uid) return;
      seen.push(
        await finalize(FINALIZER, async () => {
          await addFinalizers();
          await create({ finalizers: [FINALIZER] });
        }),
      );
    });
    await eventually('the run', () => seen.length === 1);
    expect(seen).toEqual([true]);
    expect((await read()).metadata).toMatchObject({ finalizers: [FINALIZER] });
  });

  it('must have names that a server accepts', async () => {
    expect(() => withFinalizer('a b', { apply: () => undefined, cleanup: () => undefined })).toThrow(
      '"a b" cannot be the name of a finalizer: name part must consist of',
    );
    await create();
    let failure: unknown;
    start(async (_request, { finalize, ensureFinalizer }) => {
      await expect(finalize('a/b/c', () => undefined)).rejects.toThrow(RangeError);
      await ensureFinalizer('').catch((error: unknown) => (failure = error));
    });
    await eventually('the failure', () => failure !== undefined);
    expect(failure).toBeInstanceOf(RangeError);
  });
});

it('withFinalizer: what apply has made is cleaned up before the object goes', async () => {
  const log: string[] = [];
  start(
    withFinalizer<Node>(FINALIZER, {
      apply: async ({ object, key }) => {
        const onServer = await read();
        log.push(`apply ${key.name} ${String(object.metadata.finalizers)} ${String(onServer.metadata.finalizers)}`);
        return { requeueAfterMs: 30_000 };
      },
      cleanup: (object) => void log.push(`cleanup ${object.metadata.name}`),
    }),
  );
  await create();
  await eventually('the apply', () => log.length === 2);
  expect(log).toEqual([`apply n ${FINALIZER} ${FINALIZER}`, `apply n ${FINALIZER} ${FINALIZER}`]);
  await env.cluster.delete(nodes, target);
  await eventually('the cleanup', () => log.length === 3);
  expect(log[2]).toBe('cleanup n');
  await gone();
});
