import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, StorageError } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ResourceCache } from '../../cache/resource-cache.ts';
import { service } from '../../kinds/built-in-definitions.fixture.ts';
import { type Answer, type Body, VerbFixture } from '../verb.fixture.ts';
import { admissionRequest } from './admission-request.fixture.ts';
import { serviceAdmission } from './service-admission.ts';

const SERVICES = '/api/v1/namespaces/x/services';
const TAKEN = 'provided IP is already allocated';

function body(name: string, spec: object = {}): Body {
  return { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec } };
}

/** What a Service was given. */
function given({ status, body: { spec, message } }: Answer): readonly unknown[] {
  expect(status, message).toBeLessThan(300);
  return [spec.clusterIP, spec.ports[0].nodePort];
}

const NO_CLAIMS = { held: () => [], drop: async () => undefined };

describe('the addresses of Services', () => {
  /** Commits of Services wait here until the test lets them go on, or fail. */
  let gate: Promise<Error | undefined>;
  let open: (failure?: Error) => void;
  /** Never told of anything unless the test does: what is in flight is all that the admission knows. */
  let cache: ResourceCache;
  let fixture: VerbFixture;

  beforeEach(async () => {
    // Everybody looks for an address from the same place on.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const clock = new FakeClock();
    const engine = createMemoryEngine();
    const commit = engine.commit.bind(engine);
    vi.spyOn(engine, 'commit').mockImplementation(async (change, options) => {
      const failure = change.key.includes('/services/') ? await gate : undefined;
      if (failure !== undefined) throw failure;
      return commit(change, options);
    });
    cache = new ResourceCache({ definition: service, clock });
    cache.load([], 1n);
    gate = Promise.resolve(undefined);
    const services = serviceAdmission(cache, clock, NO_CLAIMS);
    fixture = await new VerbFixture(engine, {
      store: { clock },
      admission: { allocate: async (request) => services.allocate(request) },
    }).namespace();
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  function close(): void {
    gate = new Promise((resolve) => {
      open = resolve;
    });
  }

  function post(name: string, spec?: object, query = ''): Promise<Answer> {
    return fixture.call('POST', SERVICES + query, { body: body(name, spec) });
  }

  it('are not given to two that are created at the same time', async () => {
    close();
    const answers = Promise.all([post('a'), post('b'), post('c')]);
    open();
    const all = (await answers).map(given);
    expect(new Set(all.map(([ip]) => ip)).size).toBe(3);
    expect(new Set(all.map(([, port]) => port)).size).toBe(3);
  });

  it('that one on its way has are refused to those who name them', async () => {
    close();
    const first = post('a', { clusterIP: '10.96.0.7', ports: [{ port: 80, nodePort: 30_007 }] });
    const ip = post('b', { clusterIP: '10.96.0.7' });
    const port = post('c', { ports: [{ port: 80, nodePort: 30_007 }] });
    expect([(await ip).status, (await ip).body.message]).toEqual([422, expect.stringContaining(TAKEN)]);
    expect([(await port).status, (await port).body.message]).toEqual([422, expect.stringContaining('port is already')]);
    open();
    expect(given(await first)).toEqual(['10.96.0.7', 30_007]);
  });

  it('stay taken between the commit and the cache that shows it', async () => {
    const first = given(await post('a'));
    const second = given(await post('b'));
    expect(second[0]).not.toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
    // A cache that has come this far and has no such Service: they were deleted.
    cache.load([], await fixture.context.store.engine.revision());
    expect(given(await post('c'))).toEqual(first);
  });

  it('are free again after a conflict, a dry run, what is not valid, and a store that did nothing', async () => {
    const [ip] = given(await post('a'));
    cache.load([], await fixture.context.store.engine.revision());
    expect((await post('a')).status).toBe(409);
    expect(given(await post('b', {}, '?dryRun=All'))[0]).toBe(ip);
    expect((await post('b', { ports: [{ port: 0 }] })).status).toBe(422);
    close();
    const failing = post('b');
    open(new StorageError('UNAVAILABLE', 'no'));
    expect((await failing).status).toBe(504);
    gate = Promise.resolve(undefined);
    expect(given(await post('b'))[0]).toBe(ip);
  });

  it('of a large Service are held while it is judged in turns, and free again when it is refused', async () => {
    const annotations = { a: 'x'.repeat(64 * 1024) };
    const large = (name: string, spec: object): Promise<Answer> =>
      fixture.call('POST', SERVICES, { body: { ...body(name, spec), metadata: { name, annotations } } });
    const clusterIP = '10.96.0.9';
    const [first, second] = await Promise.all([large('a', { clusterIP }), large('b', { clusterIP })]);
    expect(new Set([first.status, second.status])).toStrictEqual(new Set([201, 422]));
    const free = { clusterIP: '10.96.0.10' };
    expect((await large('c', { ...free, ports: [{ port: 0 }] })).status).toBe(422);
    expect((await large('c', { ...free, ports: [{ port: 80 }] })).status).toBe(201);
    const rename = { body: { ...body('c', { ...free, ports: [] }), metadata: { name: 'c', annotations } } };
    expect((await fixture.call('PUT', `${SERVICES}/c`, rename)).status).toBe(422);
    expect(
      (
        await fixture.call('PUT', `${SERVICES}/c`, {
          body: { ...body('c', free), metadata: { name: 'c', annotations } },
        })
      ).status,
    ).toBe(200);
  });

  it('stay taken when the store may have written them', async () => {
    close();
    const failing = post('a', { clusterIP: '10.96.0.7' });
    open(new StorageError('UNAVAILABLE', 'no', { uncertain: true }));
    expect((await failing).status).toBe(504);
    gate = Promise.resolve(undefined);
    expect((await post('b', { clusterIP: '10.96.0.7' })).body.message).toContain(TAKEN);
  });

  it('are nothing to other kinds and to the status of a Service, which need no cache of Services', () => {
    cache.lose();
    const { allocate } = serviceAdmission(cache, new FakeClock(), NO_CLAIMS);
    // A custom kind may have the same fields.
    const object = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'a' }, spec: { type: 'ClusterIP' } };
    const request = admissionRequest(service, object);
    expect(() => allocate(request)).toThrow(expect.objectContaining({ httpCode: 429 }));
    expect(allocate({ ...request, type: 'example.com/v1.Service' })).toBeUndefined();
    expect(allocate({ ...request, operation: 'UPDATE', old: object, subresource: 'status' })).toBeUndefined();
  });

  it('that an update asks for are held like those of a create, and not against its own second attempt', async () => {
    await post('a', { type: 'ExternalName', externalName: 'a.example' });
    const url = `${SERVICES}/a`;
    const patch = (value: unknown): Promise<Answer> =>
      fixture.call('PATCH', url, { type: 'application/merge-patch+json', body: value });
    close();
    const spec = { type: 'NodePort', externalName: null, ports: [{ port: 80, nodePort: 30_007 }] };
    // The first changes what the second has read: the second decides again.
    const label = patch({ metadata: { labels: { a: 'b' } } });
    const change = patch({ spec });
    await vi.waitFor(async () => {
      const other = await post('b', { ports: [{ port: 80, nodePort: 30_007 }] }, '?dryRun=All');
      expect(other.status).toBe(422);
    }, 20_000);
    open();
    expect((await label).status).toBe(200);
    const changed = await change;
    expect(given(changed)[1]).toBe(30_007);
    expect(changed.body.metadata.labels).toEqual({ a: 'b' });
  });
});
