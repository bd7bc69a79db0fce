import { describe, expect, test } from 'vitest';
import { apiVersionOf, groupKindText, groupResourceText, resource } from './resource.ts';

const pods = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true };

test('a resource has its coordinates, cannot be changed, and carries nothing else', () => {
  const declared = resource({ ...pods, extra: 1 } as typeof pods);
  expect(declared).toEqual(pods);
  expect(Object.isFrozen(declared)).toBe(true);
});

test.each(['version', 'plural', 'kind'])('a resource without a %s is misuse', (field) => {
  expect(() => resource({ ...pods, [field]: '' })).toThrow(`a resource needs a ${field}`);
});

test.each([
  ['nothing', undefined],
  ['no version', { plural: 'pods', kind: 'Pod', namespaced: true }],
  ['a kind that is a number', { version: 'v1', plural: 'pods', kind: 1, namespaced: true }],
  ['a group that is null', { group: null, version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }],
  ['no namespaced', { version: 'v1', plural: 'pods', kind: 'Pod' }],
])('plain JavaScript that gives %s is refused', (_, definition) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler would refuse it
  expect(() => resource(definition as unknown as typeof pods)).toThrow(TypeError);
});

describe('names in objects and messages', () => {
  test.each([
    [pods, 'v1', 'pods', 'Pod'],
    [deployments, 'apps/v1', 'deployments.apps', 'Deployment.apps'],
  ])('%j', (definition, apiVersion, resourceText, kindText) => {
    expect(apiVersionOf(definition)).toBe(apiVersion);
    expect(groupResourceText(definition)).toBe(resourceText);
    expect(groupKindText(definition)).toBe(kindText);
  });
});
