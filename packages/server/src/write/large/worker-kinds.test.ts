import { describe, expect, it } from 'vitest';
import { workerKinds } from './worker-kinds.ts';

/** The values that the caller of a job has sent, each read once. */
function sharedValues(values: Readonly<Record<string, object>>) {
  const read = new Map<string, unknown>();
  return {
    shared: <T>(key: string, make: (bytes: Uint8Array) => T): T => {
      if (!read.has(key)) read.set(key, make(Buffer.from(JSON.stringify(values[key]))));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same reader made it
      return read.get(key) as T;
    },
  };
}

const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com', uid: 'u' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
    ],
  },
  status: { acceptedNames: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' } },
};
const NOTHING = sharedValues({});

describe('the kinds of a worker', () => {
  it('are the built-in ones, loaded, with how others are found', async () => {
    const { definition, find } = await workerKinds(
      { group: 'apps', version: 'v1', plural: 'deployments' },
      undefined,
      NOTHING,
    );
    expect(definition.resource).toMatchObject({ group: 'apps', version: 'v1', kind: 'Deployment' });
    expect(find('', 'v1', 'pods')?.resource.kind).toBe('Pod');
    expect(find('apps', 'v1', 'deployments')).toBe(definition);
  });

  it.each(['v1', 'v2'])('are those of a definition that was sent, in its version %s', async (version) => {
    const { definition } = await workerKinds(
      { group: 'example.com', version, plural: 'widgets' },
      'widgets@1',
      sharedValues({ 'widgets@1': WIDGETS }),
    );
    expect(definition.resource).toMatchObject({ group: 'example.com', version, kind: 'Widget' });
    expect(definition.custom).toBeDefined();
  });

  it.each([
    ['a built-in kind that there is not', undefined, {}],
    ['a version that the definition does not have', 'widgets@1', { 'widgets@1': WIDGETS }],
    [
      'something that is no definition',
      'pod@1',
      { 'pod@1': { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' } } },
    ],
  ])('do not have %s', async (_, key, values) => {
    const resource = { group: 'example.com', version: 'v3', plural: 'widgets' };
    await expect(workerKinds(resource, key, sharedValues(values))).rejects.toThrow(
      'the worker does not know widgets.example.com in v3',
    );
  });
});
