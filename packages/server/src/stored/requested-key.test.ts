import { parseRequestPath } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { configMap, namespace, service } from '../kinds/built-in-definitions.fixture.ts';
import { keyPrefix, parseObjectKey, requestedKey, storedObjectKey } from './requested-key.ts';

describe('keys', () => {
  it.each([
    [configMap, { namespace: 'x', name: 'a' }, '/registry/configmaps/x/a'],
    [service, { namespace: 'x', name: 'a' }, '/registry/services/specs/x/a'],
    [namespace, { namespace: '', name: 'a' }, '/registry/namespaces/a'],
  ])('a key is built and read back: %#', (definition, place, key) => {
    expect(storedObjectKey(definition, place)).toBe(key);
    expect(parseObjectKey(definition, key)).toEqual(place);
  });

  it('the namespace in the path of a Namespace is not part of its key', () => {
    expect(storedObjectKey(namespace, { namespace: 'a', name: 'a' })).toBe('/registry/namespaces/a');
    expect(keyPrefix(namespace, 'a')).toBe('/registry/namespaces/');
  });

  it.each(['/registry/secrets/x/a', '/registry/configmaps/x', '/registry/configmaps/x/', '/registry/configmaps/x/a/b'])(
    'no ConfigMap has the key %s',
    (key) => expect(parseObjectKey(configMap, key)).toBeUndefined(),
  );

  it.each([
    ['/api/v1/namespaces/x/configmaps/..', 400, 'Name parameter invalid: "..": may not be \'..\''],
    ['/api/v1/namespaces/x/configmaps/a%2525b', 400, 'Name parameter invalid: "a%25b": may not contain \'%\''],
    [`/api/v1/namespaces/x/configmaps/a%00b`, 404, 'configmaps "a\\x00b" not found'],
    [`/api/v1/namespaces/x/configmaps/${'n'.repeat(2000)}`, 404, `configmaps "${'n'.repeat(2000)}" not found`],
  ])('%.60s is refused before the storage is asked', (text, httpCode, message) => {
    const path = parseRequestPath(text);
    if (path.type !== 'resource') throw new Error('not the path of a resource');
    expect(() => requestedKey({ definition: configMap, path })).toThrow(expect.objectContaining({ httpCode, message }));
  });
});
