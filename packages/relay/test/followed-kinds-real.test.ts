import { needs } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RealWorld } from './real-world.fixture.ts';
import { versionIn } from './relay-world.fixture.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const NAME = 'widgets.example.com';
const PATH = '/apis/example.com/v1/namespaces/default/widgets';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const WAIT = { timeout: 60_000, interval: 200 };

function definition(color?: string): object {
  const text = { type: 'string' };
  const properties = { size: text, color: color === undefined ? text : { ...text, default: color } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
          selectableFields: [{ jsonPath: '.spec.size' }],
          additionalPrinterColumns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
        },
      ],
    },
  };
}

const widget = (name: string, size: string): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, labels: { app: name } },
  spec: { size },
});

describe('custom kinds, in front of a kube-apiserver', needs('kube-apiserver'), () => {
  let world: RealWorld;

  beforeAll(async () => {
    world = await RealWorld.start({ kinds: [NAME] });
    await world.write('POST', DEFINITIONS, definition());
    await vi.waitFor(async () => expect((await world.direct(PATH)).status).toBe(200), WAIT);
    await world.write('POST', PATH, widget('a', 'large'));
    await world.write('POST', PATH, widget('b', 'small'));
    await vi.waitFor(() => expect(world.relay.state.kinds).toMatchObject([{ kind: NAME, state: 'live' }]), WAIT);
  }, 240_000);
  afterAll(() => world?.[Symbol.asyncDispose]());

  const cached = (): number => world.relay.state.reads.cached.reduce((sum, { count }) => sum + count, 0);

  /** Asks both, and says whether the relay answered from its cache. */
  async function both(query: string, accept = 'application/json'): Promise<boolean> {
    const version = versionIn((await world.direct(`${PATH}/a`)).text);
    const path = `${PATH}?resourceVersion=${version}&resourceVersionMatch=NotOlderThan${query}`;
    const before = cached();
    const [through, direct] = [await world.ask(path, { accept }), await world.direct(path, { accept })];
    expect(stateOf(through.text)).toEqual(stateOf(direct.text));
    expect(through.headers['content-type']).toBe(direct.headers['content-type']);
    return cached() > before;
  }

  it.each([
    ['a list', '', 'application/json'],
    ['a list by label', '&labelSelector=app%3Da', 'application/json'],
    ['a list by a field of its definition', '&fieldSelector=spec.size%3Dlarge', 'application/json'],
    ['metadata', '', METADATA],
  ])('%s from the cache says what kube-apiserver says', async (_, query, accept) => {
    expect(await both(query, accept)).toBe(true);
  });

  it('a Table passes: kube-apiserver describes the column of names in its own words', async () => {
    expect(await both('', TABLE)).toBe(false);
  });

  it('an object is the same to a byte, alone, in a list and in a watch', async () => {
    const from = versionIn((await world.direct(`${PATH}/a`)).text);
    await world.write('PATCH', `${PATH}/a`, { spec: { size: 'huge' } });
    const watch = `${PATH}?watch=true&resourceVersion=${from}&fieldSelector=metadata.name%3Da&timeoutSeconds=1`;
    const before = cached();
    expect((await world.ask(watch)).text).toBe((await world.direct(watch)).text);
    expect(cached()).toBe(before + 1);
    const object = (await world.direct(`${PATH}/a`)).text.trimEnd();
    expect((await world.ask(`${PATH}?resourceVersion=0`)).text).toContain(object);
    expect((await world.ask(`${PATH}/a?resourceVersion=0`)).text.trimEnd()).toBe(object);
  });

  it('a schema that changes ends the watches, and then everything is by the new one', async () => {
    const from = versionIn((await world.direct(PATH)).text);
    const watch = world.ask(`${PATH}?watch=true&resourceVersion=${from}&timeoutSeconds=120`);
    await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
    const { metadata } = JSON.parse((await world.direct(`${DEFINITIONS}/${NAME}`)).text);
    await world.write('PUT', `${DEFINITIONS}/${NAME}`, { ...definition('red'), metadata });
    await watch;
    await vi.waitFor(async () => {
      expect(await both('')).toBe(true);
      expect((await world.ask(`${PATH}?resourceVersion=0`)).text).toContain('"color":"red"');
    }, WAIT);
    const { text } = await world.ask(`${PATH}?watch=true&resourceVersion=${from}&timeoutSeconds=5`);
    expect(JSON.parse(text)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
  }, 120_000);

  it('a definition that is deleted ends the kind', async () => {
    await world.write('DELETE', `${DEFINITIONS}/${NAME}`, {});
    await vi.waitFor(
      () => expect(world.relay.state).toMatchObject({ kinds: [], unservedKinds: [{ kind: NAME }] }),
      WAIT,
    );
    await vi.waitFor(async () => expect((await world.ask(`${PATH}?resourceVersion=0`)).status).toBe(404), WAIT);
  }, 120_000);

  it('nothing unforeseen happened', () => {
    expect(world.errors).toEqual([]);
  });
});

/** What a list says: kube-apiserver writes the members of custom lists by name, and of its version nothing was asked. */
function stateOf(text: string): unknown {
  const { metadata, ...rest } = JSON.parse(text);
  return { ...rest, metadata: { ...metadata, resourceVersion: '' } };
}
