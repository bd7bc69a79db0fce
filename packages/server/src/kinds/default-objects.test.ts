import { describe, expect, it } from 'vitest';
import { parseServiceRange } from './cluster-ip-allocator.ts';
import { defaultObjects } from './default-objects.ts';
import { BUILT_IN_SCHEMAS } from './kind-schemas.ts';

await BUILT_IN_SCHEMAS.load('core/v1.Namespace');

describe('the objects of a new cluster', () => {
  it('are four namespaces and the service of the server', () => {
    expect(defaultObjects().map(({ definition, object }) => [definition.resource.kind, object.metadata.name])).toEqual([
      ['Namespace', 'default'],
      ['Namespace', 'kube-system'],
      ['Namespace', 'kube-public'],
      ['Namespace', 'kube-node-lease'],
      ['Service', 'kubernetes'],
    ]);
  });

  it('break no rule of their kinds', () => {
    for (const { definition, object } of defaultObjects()) {
      expect(definition.strategy.validate(object)).toEqual([]);
      expect(definition.strategy.checkName(object.metadata.name ?? '', false)).toEqual([]);
      expect(definition.strategy.prepareForUpdate(object, object)).toEqual(object);
    }
  });

  it('reach the server at the first address of the range', () => {
    const service = defaultObjects({ serviceRange: parseServiceRange('10.0.0.0/24'), port: 8443 }).at(-1);
    expect(service?.object['spec']).toMatchObject({
      clusterIP: '10.0.0.1',
      ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }],
    });
    expect(defaultObjects().at(-1)?.object['spec']).toMatchObject({ clusterIP: '10.96.0.1' });
  });
});
