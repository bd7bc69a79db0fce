import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allOf, conditionIs, deleted, exists, fieldIs, not, waitFor } from '../src/index.ts';

interface Node extends ApiObject {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly object[] };
}

const nodes = resource<Node>({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const target = { name: 'n' };

let env: TestEnvironment<FakeClock>;

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
});

afterEach(async () => {
  expect(env.faults.watches).toBe(0);
  await env.close();
});

const create = (name = 'n', more: object = {}): Promise<Node> =>
  env.cluster.create(nodes, { metadata: { name, ...more } });
const setStatus = (status: object): Promise<Node> =>
  env.cluster.patch(nodes, target, { type: 'merge', body: { status } }, { subresource: 'status' });
const isRunning = fieldIs('{.status.phase}', 'Running');
const watching = (): Promise<unknown> => eventually('the watch', () => env.faults.watches === 1);

describe('waitFor', () => {
  it('resolves at once when the condition holds already, with the state that the server has now', async () => {
    const made = await create();
    expect((await waitFor(env.cluster, nodes, target, exists))?.metadata.uid).toBe(made.metadata.uid);
    await env.cluster.delete(nodes, target);
    expect(await waitFor(env.cluster, nodes, target, deleted)).toBeUndefined();
  });

  it('asks for the most recent state, not for what the server has cached', async () => {
    const paths: string[] = [];
    env.faults.delay(0, {
      match: ({ path }) => {
        paths.push(path);
        return false;
      },
    });
    await create();
    await waitFor(env.cluster, nodes, target, exists);
    const lists = paths.filter((path) => path.includes('fieldSelector=metadata.name'));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((path) => path.includes('resourceVersion='))).toEqual([]);
  });

  it('resolves with the first state in which the condition holds', async () => {
    const waiting = waitFor(env.cluster, nodes, target, isRunning);
    await watching();
    await create('other');
    await create();
    await setStatus({ phase: 'Pending' });
    await setStatus({ phase: 'Running' });
    expect((await waiting)?.status?.phase).toBe('Running');
  });

  it('uses the namespace of the target, or else that of the cluster', async () => {
    await env.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } });
    const here = waitFor(env.cluster, configMaps, { name: 'c' }, exists);
    const there = waitFor(env.cluster, configMaps, { name: 'c', namespace: 'x' }, exists);
    await eventually('the watches', () => env.faults.watches === 2);
    await env.cluster.create(configMaps, { metadata: { name: 'c', namespace: 'x' } });
    expect((await there)?.metadata.namespace).toBe('x');
    await env.cluster.create(configMaps, { metadata: { name: 'c', namespace: 'default' } });
    expect((await here)?.metadata.namespace).toBe('default');
  });

  it('takes a function as a condition', async () => {
    const waiting = waitFor(env.cluster, nodes, target, (node) => node?.metadata.labels?.['a'] === 'b');
    await watching();
    await create('n', { labels: { a: 'b' } });
    expect((await waiting)?.metadata.labels).toEqual({ a: 'b' });
  });

  it('notices a delete although the same name was created again while the watch was down', async () => {
    await create();
    const waiting = waitFor(env.cluster, nodes, target, deleted);
    await watching();
    const quiet = env.faults.stall({ match: ({ path }) => path.includes('watch=') });
    await env.cluster.delete(nodes, target);
    const other = await create();
    await env.faults.compactNow();
    env.faults.cutWatches();
    quiet.restore();
    expect(await eventuallySettled(waiting)).toBeUndefined();
    expect((await waitFor(env.cluster, nodes, target, exists))?.metadata.uid).toBe(other.metadata.uid);
  });

  it('survives watches that are cut and history that is gone', async () => {
    await create();
    const waiting = waitFor(env.cluster, nodes, target, isRunning, { timeoutMs: 0 });
    await watching();
    env.faults.cutWatches();
    await setStatus({ phase: 'Pending' });
    await env.faults.compactNow();
    await setStatus({ phase: 'Running' });
    expect((await eventuallySettled(waiting))?.status?.phase).toBe('Running');
  });

  it('of an object with a uid fails once that object is gone, and tells who has its name', async () => {
    const made = await create();
    const waiting = waitFor(env.cluster, nodes, made, isRunning);
    const failed = expect(waiting).rejects.toMatchObject({ code: 'OBJECT_GONE' });
    await watching();
    await env.cluster.delete(nodes, target);
    await failed;
    const other = await create();
    await setStatus({ phase: 'Running' });
    const again = waitFor(env.cluster, nodes, made, isRunning);
    await expect(again).rejects.toThrow(
      `waiting for nodes n failed because the object with uid ${made.metadata.uid} is gone, and another one ` +
        `(uid ${other.metadata.uid}) has its name: it does not exist`,
    );
    expect(await waitFor(env.cluster, nodes, made, deleted)).toBeUndefined();
    expect(await waitFor(env.cluster, nodes, { name: 'n', uid: made.metadata.uid }, not(exists))).toBeUndefined();
  });
});

describe('a wait that fails', () => {
  it('after its time says what it saw last and why that does not do', async () => {
    await create('n', { labels: { a: 'b' } });
    let seen: Node | undefined;
    const record = (node: Node | undefined): boolean => {
      seen = node;
      return true;
    };
    const condition = allOf<Node | undefined>(record, conditionIs('Ready'));
    const waiting = waitFor(env.cluster, nodes, target, condition, { timeoutMs: 5000 });
    const failed = expect(waiting).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: 'waiting for nodes n failed after 5000 ms: condition Ready is False (NoNetwork: no route)',
      object: { metadata: { labels: { a: 'b' } } },
    });
    await watching();
    await setStatus({ conditions: [{ type: 'Ready', status: 'False', reason: 'NoNetwork', message: 'no route' }] });
    await eventually('the change', () => seen?.status?.conditions !== undefined);
    await env.clock.advance(5000);
    await failed;
  });

  it('without any answer says so, with the last failure', async () => {
    env.faults.tooManyRequests(1_000_000);
    const waiting = waitFor(env.cluster, nodes, target, exists, { timeoutMs: 60_000 });
    const failed = expect(waiting).rejects.toThrow(
      /^waiting for nodes n failed after 60000 ms: its state is unknown; last failure: /,
    );
    for (let second = 0; second < 60; second++) await env.clock.advance(1000);
    await failed;
  });

  it('because the resource is not served, or may not be watched, fails at once', async () => {
    const nopes = resource({ group: 'example.com', version: 'v1', plural: 'nopes', kind: 'Nope', namespaced: false });
    const refused = waitFor(env.cluster, nopes, target, exists);
    await expect(refused).rejects.toMatchObject({
      code: 'WAIT_REFUSED',
      message: expect.stringContaining('waiting for nopes.example.com n failed because it cannot be watched'),
    });
  });

  it('by its signal rejects with the reason of the signal, before and during the wait', async () => {
    const stop = new AbortController();
    const waiting = waitFor(env.cluster, nodes, target, exists, { signal: stop.signal });
    const failed = expect(waiting).rejects.toBe('enough');
    await watching();
    stop.abort('enough');
    await failed;
    await expect(waitFor(env.cluster, nodes, target, exists, { signal: stop.signal })).rejects.toBe('enough');
  });

  it('by a condition that throws rejects with that error', async () => {
    const waiting = waitFor(env.cluster, nodes, target, () => {
      throw new TypeError('broken');
    });
    await expect(waiting).rejects.toThrow('broken');
  });

  it.each<[object, string]>([
    [{ timeoutMs: -1 }, 'timeoutMs must be 0 or more milliseconds, not -1'],
    [{ timeout: 5 }, 'unknown option "timeout" of waitFor'],
  ])('options that make no sense are refused: %j', async (options, message) => {
    await expect(waitFor(env.cluster, nodes, target, exists, options)).rejects.toThrow(message);
  });
});

/** Lets time pass until the promise is settled: backoffs need it. */
async function eventuallySettled<V>(promise: Promise<V>): Promise<V> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await eventually('the end', async () => {
    await env.clock.advance(1000);
    return isSettled;
  });
  return promise;
}
