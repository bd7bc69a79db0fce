import { type ApiObject, conflict, resource } from '@listwatch/api';
import { expect, it } from 'vitest';
import { type ObjectCluster, ReconciledObject } from './reconciled-object.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const object: ApiObject = { metadata: { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' } };

it('gives up on a finalizer after five conflicts, and reports the conflict', async () => {
  let patches = 0;
  const cluster: ObjectCluster = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all objects of this test
    get: async <T extends ApiObject>() => object as T,
    patch: async () => {
      patches++;
      throw conflict(configMaps, 'a', 'changed');
    },
  };
  const own = new ReconciledObject(() => cluster, {
    resource: configMaps,
    object,
    fieldManager: 'test',
    hasStatus: true,
  });
  await expect(own.ensureFinalizer('example.com/f')).rejects.toMatchObject({ reason: 'Conflict' });
  expect(patches).toBe(5);
});
