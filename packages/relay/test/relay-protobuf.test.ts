import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ADMIN, RelayWorld, versionIn } from './relay-world.fixture.ts';

const WEBHOOKS = 'validatingwebhookconfigurations.admissionregistration.k8s.io';
const PATH = '/api/v1/namespaces/default/configmaps';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const ANY = `${PROTOBUF},application/json`;
const METADATA = `${PROTOBUF};as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json`;
const METADATA_LIST = `${PROTOBUF};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json`;
const STREAMED = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const WAIT = { timeout: 20_000 };
let world: RelayWorld;

beforeAll(async () => {
  world = await RelayWorld.start({ kinds: ['configmaps', 'secrets', 'controllerrevisions.apps', WEBHOOKS] });
  await world.direct('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 's' },
    data: { empty: '', bytes: 'AAEC/w==' },
  });
  for (const name of ['a', 'b', 'c']) await world.write(name, { of: name, text: 'ä & <b>' });
}, 60_000);
afterAll(() => world?.[Symbol.asyncDispose]());

const cached = (): number => world.relay.state.reads.cached.reduce((sum, { count }) => sum + count, 0);

/** Asks both, and says whether the relay answered from its cache. */
async function both(path: string, accept: string = ANY): Promise<boolean> {
  const before = cached();
  const through = await world.ask(ADMIN, path, { accept });
  const fromCache = cached() > before;
  const direct = await world.askUpstream(ADMIN, path, { accept });
  expect(through.bytes?.toString('hex')).toBe(direct.bytes?.toString('hex'));
  expect(through.headers['content-type']).toBe(direct.headers['content-type']);
  expect([through.status, through.headers['content-type']?.startsWith(PROTOBUF)]).toEqual([200, true]);
  return fromCache;
}

it.each<readonly [string, string, string]>([
  ['a list', `${PATH}?resourceVersion=0`, ANY],
  ['a list as it is now', PATH, ANY],
  ['a page', `${PATH}?limit=2`, ANY],
  ['an empty list', `${PATH}?labelSelector=app%3Dnone`, ANY],
  ['an object', `${PATH}/a?resourceVersion=0`, ANY],
  ['objects with bytes', '/api/v1/secrets', ANY],
  ['a list of metadata', `${PATH}?resourceVersion=0`, METADATA_LIST],
  ['the metadata of an object', `${PATH}/a?resourceVersion=0`, METADATA],
  ['a watch', `${PATH}?watch=true&resourceVersion=0&timeoutSeconds=1`, ANY],
  ['a watch of metadata', `${PATH}?watch=true&resourceVersion=0&timeoutSeconds=1`, METADATA],
])('%s comes from the cache in protobuf, byte for byte', async (_, path, accept) => {
  await vi.waitFor(async () => expect(await both(path, accept)).toBe(true), WAIT);
});

it('a streamed list in protobuf has all objects and its end marker', async () => {
  const before = cached();
  const { text } = await world.ask(ADMIN, `${PATH}?${STREAMED}&timeoutSeconds=1`, { accept: PROTOBUF });
  expect(text).toContain('k8s.io/initial-events-end');
  expect(text.match(/ADDED/gu)).toHaveLength(3);
  expect(cached()).toBe(before + 1);
});

it('a kind whose JSON leaves something out passes', async () => {
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?resourceVersion=0';
  expect(await both(path)).toBe(false);
});

it('an object that only the upstream can encode ends a watch before it, and the kind passes from then on', async () => {
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  expect(await both(path)).toBe(true);
  const { text: list } = await world.ask(ADMIN, path);
  const after = `watch=true&resourceVersion=${versionIn(list)}`;
  const before = cached();
  const watch = world.ask(ADMIN, `${path}?${after}&timeoutSeconds=600`, { accept: PROTOBUF });
  await vi.waitFor(() => expect(cached()).toBe(before + 1), WAIT);
  // With the JSON of somebody inside, whose spaces nobody knows here.
  const made = await world.direct('POST', path, {
    metadata: { name: 'one' },
    data: { spec: {} },
    revision: 1,
  });
  expect(made.status).toBe(201);
  expect((await watch).bytes).toHaveLength(0);
  expect(await both(path)).toBe(false);
  expect(await both(`${path}?${after}&timeoutSeconds=1`)).toBe(false);
  const json = cached();
  expect((await world.ask(ADMIN, path)).text).toContain('"one"');
  expect(cached()).toBe(json + 1);
});
