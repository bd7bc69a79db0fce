import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import { isNoMatch } from './no-match-error.ts';
import { type RestMapper, type RestMapperOptions, restMapper } from './rest-mapper.ts';

const entry = (resource: string, kind: string, shortNames: readonly string[] = []) => ({
  resource,
  singularResource: kind.toLowerCase(),
  responseKind: { kind },
  scope: 'Namespaced',
  verbs: ['get'],
  shortNames,
});

/** A server whose kinds a test can change. */
class Served implements Transport {
  readonly name = 'test';
  readonly clock = new FakeClock();
  readonly transport = this;
  readonly requests: TransportRequest[] = [];
  groups: Record<string, readonly object[]> = { apps: [entry('deployments', 'Deployment', ['deploy'])] };
  freshness = 'Current';
  gate: Promise<void> = Promise.resolve();
  isDown = false;

  async send(request: TransportRequest) {
    this.requests.push(request);
    const core = { metadata: { name: '' }, versions: [{ version: 'v1', resources: [entry('pods', 'Pod', ['po'])] }] };
    const groups = Object.entries(this.groups).map(([name, resources]) => ({
      metadata: { name },
      versions: [{ version: 'v1', freshness: this.freshness, resources }],
    }));
    const items = request.path === '/api' ? [core] : groups;
    const text = JSON.stringify({ kind: 'APIGroupDiscoveryList', items });
    const status = this.isDown ? 503 : 200;
    await this.gate;
    request.signal?.throwIfAborted();
    const body = (async function* () {
      yield new TextEncoder().encode(text);
    })();
    return { status, headers: { 'content-type': 'application/json' }, body };
  }

  async close(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}

  /** How often discovery was done: it takes two requests. */
  get rounds(): number {
    return this.requests.length / 2;
  }
}

/** A promise that the test resolves. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let open: (() => void) | undefined;
  const promise = new Promise<void>((settle) => {
    open = settle;
  });
  return { promise, resolve: () => open?.() };
}

function setUp(options?: RestMapperOptions): { readonly server: Served; readonly mapper: RestMapper } {
  const server = new Served();
  return { server, mapper: restMapper(server, options) };
}

describe('a lookup', () => {
  it('by kind and by name finds the resource, and asks the server once', async () => {
    const { server, mapper } = setUp();
    const deployments = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };
    expect(await mapper.kind('apps/v1', 'Deployment')).toMatchObject(deployments);
    for (const name of ['deployments', 'deployment', 'deploy', 'Deployment', 'deploy.apps', 'apps/v1/deployments']) {
      expect(await mapper.named(name)).toMatchObject(deployments);
    }
    expect(await mapper.kind('v1', 'Pod')).toMatchObject({ group: '', plural: 'pods' });
    expect((await mapper.discovery()).resources).toHaveLength(2);
    expect(server.rounds).toBe(1);
  });

  it('shares the request of another one that is under way', async () => {
    const { server, mapper } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => mapper.kind('v1', 'Pod')));
    expect(server.rounds).toBe(1);
  });

  it('that is aborted leaves the others their request; the last one ends it', async () => {
    const { server, mapper } = setUp();
    const open = gate();
    server.gate = open.promise;
    const [first, second] = [new AbortController(), new AbortController()];
    const lost = mapper.kind('v1', 'Pod', { signal: first.signal });
    const kept = mapper.kind('v1', 'Pod', { signal: second.signal });
    first.abort(new Error('first'));
    await expect(lost).rejects.toThrow('first');
    expect(server.requests[0]?.signal?.aborted).toBe(false);
    second.abort(new Error('second'));
    await expect(kept).rejects.toThrow('second');
    expect(server.requests[0]?.signal?.aborted).toBe(true);
    open.resolve();
    expect(await mapper.kind('v1', 'Pod')).toMatchObject({ plural: 'pods' });
    expect(server.rounds).toBe(2);
  });

  it('does not keep a failure', async () => {
    const { server, mapper } = setUp();
    server.isDown = true;
    await expect(mapper.kind('v1', 'Pod')).rejects.toMatchObject({ status: { code: 503 } });
    server.isDown = false;
    expect(await mapper.kind('v1', 'Pod')).toMatchObject({ plural: 'pods' });
  });

  it.each(['', 'a b', 'pods/web', '../pods', 'a/b/c/d/e'])('of %j is refused without a request', async (name) => {
    const { server, mapper } = setUp();
    await expect(mapper.named(name)).rejects.toThrow(TypeError);
    expect(server.requests).toEqual([]);
  });
});

describe('a kind that is not known', () => {
  it('makes the mapper ask again, once for an interval however often it is looked up', async () => {
    const { server, mapper } = setUp();
    await mapper.kind('v1', 'Pod');
    for (let i = 0; i < 100; i += 1) await expect(mapper.kind('v1', `K${i}`)).rejects.toSatisfy(isNoMatch);
    expect(server.rounds).toBe(1);
    await server.clock.advance(5001);
    for (let i = 0; i < 100; i += 1) await expect(mapper.named(`k${i}`)).rejects.toSatisfy(isNoMatch);
    expect(server.rounds).toBe(2);
  });

  it('is found when it has been added since', async () => {
    const { server, mapper } = setUp();
    await mapper.kind('v1', 'Pod');
    server.groups = { ...server.groups, 'example.com': [entry('widgets', 'Widget')] };
    await server.clock.advance(5001);
    expect(await mapper.kind('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets' });
    expect(server.rounds).toBe(2);
  });

  it('is refused with what there is instead', async () => {
    const { mapper } = setUp();
    await expect(mapper.kind('apps/v1', 'Deploymnet')).rejects.toThrow(
      'the server has no kind "Deploymnet" in apps/v1; it has Deployment',
    );
    await expect(mapper.kind('extensions/v1beta1', 'Deployment')).rejects.toThrow(
      'the server has no kind "Deployment" in extensions/v1beta1; it has it in apps/v1',
    );
    await expect(mapper.kind('a.example.com/v1', 'Widget')).rejects.toThrow(
      'the server has no kind "Widget" in a.example.com/v1; it does not serve a.example.com/v1',
    );
    await expect(mapper.named('widgets')).rejects.toThrow('the server has no resource "widgets"');
  });

  it('of a group whose server is down is refused with that reason', async () => {
    const { server, mapper } = setUp();
    server.groups = { 'metrics.k8s.io': [] };
    server.freshness = 'Stale';
    await expect(mapper.kind('metrics.k8s.io/v1', 'PodMetrics')).rejects.toMatchObject({
      code: 'NO_MATCH',
      message: expect.stringMatching(/; could not discover metrics\.k8s\.io\/v1: /u),
      cause: { status: { code: 503 } },
    });
  });
});

describe('the cache', () => {
  it('is dropped when it is too old', async () => {
    const { server, mapper } = setUp({ maxAgeMs: 1000 });
    await mapper.kind('v1', 'Pod');
    await server.clock.advance(1000);
    await mapper.kind('v1', 'Pod');
    expect(server.rounds).toBe(1);
    await server.clock.advance(1);
    await mapper.kind('v1', 'Pod');
    expect(server.rounds).toBe(2);
  });

  it('is dropped by invalidate, and so is an answer that is on its way', async () => {
    const { server, mapper } = setUp();
    const open = gate();
    server.gate = open.promise;
    const before = mapper.kind('v1', 'Pod');
    server.groups = { 'example.com': [entry('widgets', 'Widget')] };
    mapper.invalidate();
    const after = mapper.kind('example.com/v1', 'Widget');
    open.resolve();
    await before;
    expect(await after).toMatchObject({ plural: 'widgets' });
    expect(server.rounds).toBe(2);
    await expect(mapper.kind('apps/v1', 'Deployment')).rejects.toSatisfy(isNoMatch);
  });

  it.each([
    [{ maxAgeMs: -1 }, RangeError],
    [{ refreshIntervalMs: Number.NaN }, RangeError],
    [{ maxAge: 1 }, TypeError],
  ])('refuses the options %j', (options: object, type) => {
    expect(() => restMapper(new Served(), options)).toThrow(type);
  });
});
