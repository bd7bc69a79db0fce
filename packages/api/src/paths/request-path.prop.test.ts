import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resource } from '../objects/resource.ts';
import { parseRequestPath } from './request-path.ts';
import { resourcePath } from './resource-path.ts';

const segment = fc
  .string({
    unit: fc.constantFrom('a', 'Z', '0', '-', '.', ':', '?', '#', ' ', '+', 'é', '😀'),
    minLength: 1,
    maxLength: 6,
  })
  .filter((text) => text !== '.' && text !== '..');
const plural = fc.constantFrom('pods', 'widgets');

test('a path that is built is read back as it was meant', () => {
  const target = fc.record({
    group: fc.constantFrom('', 'apps', 'example.com'),
    version: fc.constantFrom('v1', 'v2beta1'),
    plural,
    namespaced: fc.boolean(),
    namespace: segment,
    name: fc.option(segment, { nil: undefined }),
    subresource: fc.option(segment, { nil: undefined }),
  });
  fc.assert(
    fc.property(target, ({ group, version, plural: name, namespaced, ...wanted }) => {
      const namespace = namespaced ? wanted.namespace : '';
      const subresource = wanted.name === undefined ? undefined : wanted.subresource;
      const of = resource({ group, version, plural: name, kind: 'Kind', namespaced });
      expect(parseRequestPath(resourcePath(of, { namespace, name: wanted.name, subresource }))).toEqual({
        type: 'resource',
        group,
        version,
        prefix: undefined,
        namespace,
        belowNamespace: namespaced,
        resource: name,
        name: wanted.name ?? '',
        subresource: subresource ?? '',
        parts: [name, wanted.name, subresource].filter((part) => part !== undefined),
      });
    }),
  );
});

test('any text is read without failing', () => {
  const piece = fc.constantFrom(
    '/',
    'api',
    'apis',
    'v1',
    'watch',
    'proxy',
    'namespaces',
    'status',
    'pods',
    '%2F',
    '%',
    '..',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
      expect(['discovery', 'malformed', 'other', 'resource']).toContain(parseRequestPath(pieces.join('')).type);
    }),
  );
});
