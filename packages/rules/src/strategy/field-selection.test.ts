import { StatusError } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from './built-in-definitions.fixture.ts';

function resolve(path: string, field: string): string {
  const [group = '', plural = ''] = path.includes('/') ? path.split('/') : ['', path];
  const definition = BUILT_IN_KINDS.find(
    ({ resource }) => resource.group === group && resource.version === 'v1' && resource.plural === plural,
  );
  if (definition === undefined) throw new TypeError(`no kind at ${path}`);
  try {
    return definition.resolveField(field, 'v').field;
  } catch (error) {
    if (error instanceof StatusError) return `${error.status.code}: ${error.message}`;
    throw error;
  }
}

describe('fields that a selector may name', () => {
  it.each([
    ['configmaps', 'metadata.name', 'metadata.name'],
    ['configmaps', 'metadata.namespace', 'metadata.namespace'],
    ['configmaps', 'data.k', '400: "data.k" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['configmaps', '', '400: "" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      'apps/deployments',
      'spec.replicas',
      '400: "spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['pods', 'spec.nodeName', 'spec.nodeName'],
    ['pods', 'spec.host', 'spec.nodeName'],
    ['pods', 'status.podIPs', 'status.podIPs'],
    ['pods', 'spec.bogus', '400: field label not supported: spec.bogus'],
    ['pods', 'metadata.uid', '400: field label not supported: metadata.uid'],
    ['nodes', 'spec.unschedulable', 'spec.unschedulable'],
    ['nodes', 'metadata.namespace', '400: field label not supported: metadata.namespace'],
    ['namespaces', 'status.phase', 'status.phase'],
    ['namespaces', 'bogus', '400: field label not supported: bogus'],
    ['secrets', 'type', 'type'],
    ['services', 'spec.clusterIP', 'spec.clusterIP'],
    ['services', 'spec.type', 'spec.type'],
    ['events', 'involvedObject.uid', 'involvedObject.uid'],
    ['events', 'reportingComponent', 'reportingComponent'],
    ['events', 'source', 'source'],
    ['events', 'regarding.kind', '400: field label not supported: regarding.kind'],
    ['events.k8s.io/events', 'regarding.kind', 'involvedObject.kind'],
    ['events.k8s.io/events', 'reportingController', 'reportingComponent'],
    ['events.k8s.io/events', 'source', '400: field label not supported: source'],
  ])('of %s, %s is %s', (path, field, expected) => {
    expect(resolve(path, field)).toBe(expected);
  });

  it('every field that a kind has in its index can be selected, or is an old name kept for clients', () => {
    for (const definition of BUILT_IN_KINDS) {
      const object = definition.strategy.prepareForCreate({ apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } }, 0);
      for (const field of Object.keys(definition.fieldsOf(object))) {
        const known = field === 'name' || field === 'source';
        if (!known) expect(definition.resolveField(field, '').field).toBe(field);
      }
    }
  });
});
