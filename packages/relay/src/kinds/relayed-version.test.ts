import { describe, expect, it } from 'vitest';
import type { FollowedState } from './followed-object.ts';
import { parseKindName } from './kind-name.ts';
import { type CustomKindState, relayedVersion, unlessAggregated } from './relayed-version.ts';

interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
}

const V1 = { name: 'v1', served: true, storage: true };
const NAMES = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };

interface Shape {
  readonly versions?: readonly Version[];
  readonly conditions?: readonly string[];
  readonly generation?: number;
  readonly scope?: string;
}

function definition({ versions = [V1], conditions = ['Established'], generation = 1, scope }: Shape): FollowedState {
  const metadata = { name: 'widgets.example.com', uid: 'u1', generation, resourceVersion: String(generation) };
  const object = {
    metadata,
    spec: { group: 'example.com', scope: scope ?? 'Namespaced', names: NAMES, versions },
    status: { acceptedNames: NAMES, conditions: conditions.map((type) => ({ type, status: 'True' })) },
  };
  return { type: 'present', object };
}

function service(spec: object): FollowedState {
  const object = { metadata: { name: 'v1.example.com' }, spec };
  return { type: 'present', object };
}

const stateOf = (followed: FollowedState, name = 'widgets.example.com'): CustomKindState =>
  relayedVersion(parseKindName(name), followed);

function textOf(state: CustomKindState): string {
  return state.type === 'passes' ? state.reason : `${state.resource.plural} ${state.resource.version}`;
}

describe('a custom kind', () => {
  it.each<readonly [string, FollowedState, string]>([
    ['is relayed once it is established', definition({}), 'widgets v1'],
    ['passes without a definition', { type: 'absent' }, 'there is no CustomResourceDefinition of this name'],
    ['passes while its definition cannot be read', { type: 'unknown', error: 'refused' }, 'cannot be read: refused'],
    ['passes before its names are accepted', definition({ conditions: [] }), 'is not established'],
    ['passes where its definition is broken', definition({ versions: [] }), 'cannot be understood'],
    ['passes where it warns', definition({ versions: [{ ...V1, deprecated: true }] }), 'v1 Widget is deprecated'],
    [
      'is relayed in the version that discovery puts first',
      definition({
        versions: [
          { name: 'v1beta1', served: true, storage: true },
          { ...V1, storage: false },
        ],
      }),
      'widgets v1',
    ],
    [
      'is relayed in a version that is served',
      definition({
        versions: [
          { ...V1, served: false },
          { name: 'v1alpha1', served: true, storage: false },
        ],
      }),
      'widgets v1alpha1',
    ],
  ])('%s', (_, followed, text) => {
    expect(textOf(stateOf(followed))).toContain(text);
  });

  it('is relayed in the version that was named, and passes where that is not served', () => {
    const both = definition({ versions: [V1, { name: 'v2', served: true, storage: false }] });
    expect(textOf(stateOf(both, 'widgets.v2.example.com'))).toBe('widgets v2');
    expect(textOf(stateOf(both, 'widgets.v3.example.com'))).toContain('not a version that is served');
  });

  it('is the same kind while its definition waits for the end of its objects, and another one by another spec', () => {
    const [now, ending, other] = [
      definition({}),
      definition({ generation: 2, conditions: ['Established', 'Terminating'] }),
      definition({ scope: 'Cluster' }),
    ].map((one) => stateOf(one));
    expect(now).toMatchObject({ type: 'served', schema: expect.any(String) });
    expect(ending).toMatchObject({ schema: now?.type === 'served' && now.schema });
    expect(other).not.toMatchObject({ schema: now?.type === 'served' && now.schema });
  });

  it('passes where another server answers for its group and version, and while that is not known', () => {
    const state = stateOf(definition({}));
    expect(textOf(unlessAggregated(state, service({ service: { name: 'x', namespace: 'y' } })))).toContain(
      'APIService',
    );
    expect(textOf(unlessAggregated(state, { type: 'unknown', error: 'refused' }))).toContain('refused');
    expect(textOf(unlessAggregated(state, service({ group: 'example.com' })))).toBe('widgets v1');
    expect(textOf(unlessAggregated(state, { type: 'absent' }))).toBe('widgets v1');
  });
});
