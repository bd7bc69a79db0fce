import { type ApiObject, resource } from '@listwatch/api';
import { afterEach, expect, it, vi } from 'vitest';
import { ADMIN, RelayWorld, versionIn } from './relay-world.fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'widgets.example.com';
const PATH = '/apis/example.com/v1/namespaces/default/widgets';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const WAIT = { timeout: 4_000 };
const widgets = resource<ApiObject & { spec?: { size?: string; color?: string } }>({
  group: 'example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
});

let world: RelayWorld;

afterEach(async () => {
  await world?.[Symbol.asyncDispose]();
});

interface Shape {
  /** The default of `spec.color`. */
  readonly color?: string;
  readonly versions?: readonly string[];
}

function definition({ color, versions = ['v1'] }: Shape = {}): object {
  const text = { type: 'string' };
  const properties = { size: text, color: color === undefined ? text : { ...text, default: color } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: versions.map((name, at) => ({
        name,
        served: true,
        storage: at === 0,
        schema,
        selectableFields: [{ jsonPath: '.spec.size' }],
        additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      })),
    },
  };
}

async function start(settleMs = 50): Promise<void> {
  world = await RelayWorld.start({ kinds: [NAME], changes: { settleMs } });
}

async function define(shape?: Shape): Promise<void> {
  const made = await world.direct('POST', DEFINITIONS, definition(shape));
  expect(made.status).toBe(201);
  await vi.waitFor(async () => expect((await world.direct('GET', PATH)).status).toBe(200), WAIT);
}

async function redefine(shape: Shape): Promise<void> {
  const { text } = await world.direct('GET', `${DEFINITIONS}/${NAME}`);
  const { metadata } = JSON.parse(text);
  const body = { ...definition(shape), metadata };
  expect((await world.direct('PUT', `${DEFINITIONS}/${NAME}`, body)).status).toBe(200);
}

/** Writes a widget and gives its version. */
async function write(name: string, size: string): Promise<string> {
  const object = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, labels: { app: name } },
    spec: { size },
  };
  const { status, text } = await world.direct('POST', PATH, object);
  expect(status).toBe(201);
  return versionIn(text);
}

const cached = (): number => world.relay.state.reads.cached.reduce((sum, { count }) => sum + count, 0);

async function live(): Promise<void> {
  await vi.waitFor(
    () => expect(world.relay.state).toMatchObject({ kinds: [{ kind: NAME, state: 'live' }], unservedKinds: [] }),
    WAIT,
  );
}

/** Asks both, and says whether the relay answered from its cache. */
async function both(path: string, accept = 'application/json'): Promise<boolean> {
  const before = cached();
  const through = await world.ask(ADMIN, path, { accept });
  const fromCache = cached() > before;
  const direct = await world.askUpstream(ADMIN, path, { accept });
  expect([through.status, through.text]).toEqual([direct.status, direct.text]);
  return fromCache;
}

/** A watch, and its events until it ends. */
function watched(from: string): { readonly seen: string[]; readonly ended: Promise<void> } {
  const seen: string[] = [];
  const read = async (): Promise<void> => {
    const cluster = await world.through(ADMIN);
    const query = { namespace: 'default', resourceVersion: from, timeoutSeconds: 60 };
    for await (const event of cluster.watch(widgets, query)) {
      if (event.type === 'ERROR') seen.push(`ERROR ${event.object.code}`);
      else if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.metadata.name}`);
    }
  };
  // It may be cut by the end of the test.
  return { seen, ended: read().catch(() => {}) };
}

it('answers of a custom kind are those of the upstream, byte for byte', async () => {
  await start();
  await define();
  await write('a', 'large');
  await write('b', 'small');
  await live();
  expect(await both(PATH)).toBe(true);
  const version = versionIn((await world.direct('GET', PATH)).text);
  for (const path of [
    `${PATH}?resourceVersion=0`,
    `${PATH}?resourceVersion=${version}&resourceVersionMatch=Exact`,
    `${PATH}?limit=1`,
    `${PATH}?labelSelector=app%3Da`,
    `${PATH}?fieldSelector=spec.size%3Dlarge`,
    `${PATH}/a?resourceVersion=0`,
    '/apis/example.com/v1/widgets?resourceVersion=0',
  ]) {
    expect([path, await both(path)]).toEqual([path, true]);
  }
  expect(await both(`${PATH}?resourceVersion=0`, METADATA)).toBe(true);
  expect(await both(`${PATH}?resourceVersion=0`, TABLE)).toBe(true);
  expect((await world.ask(ADMIN, PATH, { accept: TABLE })).text).toContain('"name":"Size"');
  expect((await world.ask('ann-token', `${PATH}?resourceVersion=0`)).status).toBe(403);
  expect(world.errors).toEqual([]);
});

it('a watch of a custom kind has every change once, and the upstream one watch', async () => {
  await start();
  await define();
  const from = await write('a', 'large');
  await live();
  const watches = Array.from({ length: 5 }, () => watched(from));
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(5), WAIT);
  await write('b', 'small');
  await world.direct('DELETE', `${PATH}/a`);
  for (const { seen } of watches) await vi.waitFor(() => expect(seen).toEqual(['ADDED b', 'DELETED a']), WAIT);
  expect(await world.upstreamWatches('widgets')).toBe(1);
});

it('a kind without a definition passes, and is answered from the cache once it is defined', async () => {
  await start();
  expect(world.relay.ready).toBe(true);
  expect(world.relay.state).toMatchObject({
    kinds: [],
    unservedKinds: [{ kind: NAME, reason: 'there is no CustomResourceDefinition of this name' }],
  });
  expect(await both(`${PATH}?resourceVersion=0`)).toBe(false);
  await define();
  await write('a', 'large');
  await live();
  expect(world.relay.state.unservedKinds).toEqual([]);
  expect(await both(PATH)).toBe(true);
});

it('a kind whose schema changes begins anew: its watches end, their clients list again, and nobody sees the schema before', async () => {
  await start();
  await define();
  const from = await write('a', 'large');
  await live();
  const watch = watched(from);
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
  await redefine({ color: 'red' });
  await watch.ended;
  expect(watch.seen).toEqual([]);
  // The object has the default of the schema, at the version that it had: no event tells of that.
  await vi.waitFor(async () => {
    const before = cached();
    const { text } = await world.ask(ADMIN, `${PATH}?resourceVersion=0`);
    expect(cached()).toBe(before + 1);
    expect(text).toContain('"color":"red"');
  }, WAIT);
  expect(await both(PATH)).toBe(true);
  const resumed = watched(from);
  await resumed.ended;
  expect(resumed.seen).toEqual(['ERROR 410']);
});

it('no list has objects as two definitions show them, though the line of the definition is late', async () => {
  await start();
  await define();
  await write('a', 'large');
  await live();
  const colors = ['red', 'green', 'blue', 'white'];
  let fromCache = 0;
  for (const color of colors) {
    await redefine({ color });
    await write(`of-${color}`, 'small');
    for (let i = 0; i < 10; i += 1) {
      const before = cached();
      const { text } = await world.ask(ADMIN, `${PATH}?resourceVersion=0`);
      if (cached() === before) continue;
      fromCache += 1;
      const items: readonly { metadata: { name: string }; spec: { color?: string } }[] = JSON.parse(text).items;
      const shown = colors.indexOf(items.find(({ metadata }) => metadata.name === 'a')?.spec.color ?? '');
      // Whoever shows what was written under a definition shows all objects by it.
      const written = colors.findLastIndex((one) => items.some(({ metadata }) => metadata.name === `of-${one}`));
      expect(shown).toBeGreaterThanOrEqual(written);
    }
  }
  expect(fromCache).toBeGreaterThan(0);
  await vi.waitFor(async () => {
    expect(await both(PATH)).toBe(true);
    expect((await world.ask(ADMIN, PATH)).text).toContain('"color":"white"');
  }, WAIT);
});

it('a kind whose definition is deleted ends: its watches have the last events, and requests are the upstream’s again', async () => {
  await start();
  await define();
  const from = await write('a', 'large');
  await live();
  const watch = watched(from);
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
  await world.direct('DELETE', `${DEFINITIONS}/${NAME}`);
  await watch.ended;
  expect(watch.seen).toEqual(['DELETED a']);
  await vi.waitFor(() => expect(world.relay.state.unservedKinds).toMatchObject([{ kind: NAME }]), WAIT);
  await vi.waitFor(async () => expect((await world.ask(ADMIN, `${PATH}?resourceVersion=0`)).status).toBe(404), WAIT);
  await define({ color: 'red' });
  await live();
  expect(await both(PATH)).toBe(true);
  expect(JSON.parse((await world.ask(ADMIN, PATH)).text).items).toEqual([]);
});

it('other versions of the kind pass: nothing is converted here', async () => {
  await start();
  await define({ versions: ['v1', 'v1beta1'] });
  await write('a', 'large');
  await live();
  expect(await both(PATH)).toBe(true);
  expect(await both('/apis/example.com/v1beta1/namespaces/default/widgets?resourceVersion=0')).toBe(false);
});

it('a version that is no longer served ends, also where it was named', async () => {
  world = await RelayWorld.start({ kinds: ['widgets.v1beta1.example.com'], changes: { settleMs: 50 } });
  await define({ versions: ['v1', 'v1beta1'] });
  await live();
  expect(world.relay.state.kinds).toMatchObject([{ version: 'v1beta1' }]);
  expect(await both('/apis/example.com/v1beta1/namespaces/default/widgets')).toBe(true);
  await redefine({ versions: ['v1'] });
  await vi.waitFor(() => expect(world.relay.state.kinds).toEqual([]), WAIT);
  expect(
    (await world.ask(ADMIN, '/apis/example.com/v1beta1/namespaces/default/widgets?resourceVersion=0')).status,
  ).toBe(404);
});
