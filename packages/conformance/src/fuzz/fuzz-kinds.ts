/** The kinds that the fuzzer writes, each with an object that is valid as it stands. */

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A kind and where it is served. */
export interface FuzzKind {
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly object: { readonly [key: string]: Json };
}

const metadata = { labels: { app: 'web' }, annotations: { note: 'x' }, finalizers: [] };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

export const FUZZ_KINDS: readonly FuzzKind[] = [
  core('configmaps', { kind: 'ConfigMap', data: { k: 'v' }, binaryData: { b: 'AAEC' }, immutable: false }),
  core('secrets', { kind: 'Secret', data: { k: 'dg==' }, stringData: { s: 'v' }, type: 'Opaque' }),
  core('pods', { kind: 'Pod', spec: template.spec, status: { phase: 'Pending' } }),
  core('podtemplates', { kind: 'PodTemplate', template }),
  core('services', {
    kind: 'Service',
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  }),
  core('serviceaccounts', { kind: 'ServiceAccount', secrets: [{ name: 's' }] }),
  core('nodes', { kind: 'Node', spec: { unschedulable: true }, status: { capacity: { cpu: '1' } } }, false),
  core('namespaces', { kind: 'Namespace', spec: { finalizers: ['kubernetes'] } }, false),
  core('events', {
    kind: 'Event',
    involvedObject: { kind: 'Pod', name: 'a', namespace: 'fuzz-0' },
    type: 'Normal',
    reason: 'R',
    count: 1,
    firstTimestamp: '2026-01-01T00:00:00Z',
  }),
  ofGroup('events.k8s.io/v1', 'events', {
    kind: 'Event',
    regarding: { kind: 'Pod', name: 'a', namespace: 'fuzz-0' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
  }),
  ofGroup('coordination.k8s.io/v1', 'leases', {
    kind: 'Lease',
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' },
  }),
  ofGroup('apps/v1', 'deployments', {
    kind: 'Deployment',
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
  }),
];

function core(plural: string, object: FuzzKind['object'], namespaced = true): FuzzKind {
  return { root: '/api/v1', plural, namespaced, object: { apiVersion: 'v1', metadata, ...object } };
}

function ofGroup(apiVersion: string, plural: string, object: FuzzKind['object']): FuzzKind {
  return { root: `/apis/${apiVersion}`, plural, namespaced: true, object: { apiVersion, metadata, ...object } };
}
