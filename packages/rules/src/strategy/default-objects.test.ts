import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { describe, expect, it } from 'vitest';
import { parseServiceRange } from '../kinds/networking/cluster-ip-allocator.ts';
import { DEFAULT_TYPES, defaultObjects } from './default-objects.ts';

await BUILT_IN_SCHEMAS.loadAll(DEFAULT_TYPES);

describe('the objects of a new cluster', () => {
  it('are namespaces, priority classes, the objects of flow control and the service of the server', () => {
    const names = defaultObjects().map(({ definition, object }) => [definition.resource.kind, object.metadata.name]);
    const count = (kind: string): number => names.filter(([one]) => one === kind).length;
    expect(names.filter(([kind]) => kind === 'Namespace' || kind === 'PriorityClass')).toEqual([
      ['Namespace', 'default'],
      ['Namespace', 'kube-system'],
      ['Namespace', 'kube-public'],
      ['Namespace', 'kube-node-lease'],
      ['PriorityClass', 'system-node-critical'],
      ['PriorityClass', 'system-cluster-critical'],
    ]);
    expect([count('PriorityLevelConfiguration'), count('FlowSchema')]).toEqual([8, 11]);
    expect(names.at(-1)).toEqual(['Service', 'kubernetes']);
  });

  it('have the generation and the annotation that kube-apiserver gives them', () => {
    const exempt = defaultObjects().find(
      ({ definition, object }) => definition.resource.kind === 'FlowSchema' && object.metadata.name === 'exempt',
    );
    expect(exempt?.object).toMatchObject({
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      metadata: { generation: 1, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
      spec: { matchingPrecedence: 1, priorityLevelConfiguration: { name: 'exempt' } },
    });
  });

  it('break no rule of their kinds', () => {
    for (const { definition, object } of defaultObjects()) {
      expect(definition.strategy.validate(object, undefined, '').errors).toEqual([]);
      expect(definition.strategy.checkName(object.metadata.name ?? '', false)).toEqual([]);
      expect(definition.strategy.prepareForUpdate(object, object, 0)).toEqual(object);
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
