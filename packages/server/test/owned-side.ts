/** One of two servers that are sent the same writes, with the owners of fields in its answers. */

import { ApiClient, type ServerTarget } from '@listwatch/conformance/server';
import { expect, vi } from 'vitest';
import type { OwnedBody } from './kind-bodies/owned-body.ts';

/** A write, and where to look afterwards. */
export interface OwnedStep {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  /** `undefined`: the stored object, with an annotation more. */
  readonly body?: object | undefined;
}

const NAMESPACE = 'owners';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** The writes of all sorts to one object. */
export function conversationOf(owned: OwnedBody): readonly OwnedStep[] {
  const { apiVersion, kind, plural, namespaced, name = 'owned', body, change = {}, status, scale = false } = owned;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const collection = `${root}/${namespaced ? `namespaces/${NAMESPACE}/` : ''}${plural}`;
  const path = `${collection}/${name}`;
  const object = (metadata: object, rest: object): object => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...rest,
  });
  const patch = (manager: string, sent: object, type = MERGE, at = path): OwnedStep => ({
    method: 'PATCH',
    path: `${at}?fieldManager=${manager}`,
    type,
    body: sent,
  });
  const apply = (manager: string, sent: object, at = path): OwnedStep =>
    patch(`${manager}&force=true`, sent, APPLY, at);
  const metadata = { labels: { a: '1', b: '2' }, annotations: { n: '1' }, finalizers: ['example.com/f'] };
  return [
    {
      method: 'POST',
      path: `${collection}?fieldManager=creator`,
      body: object(metadata, { ...body, ...(status && { status }) }),
    },
    patch('changer', change),
    patch('labeller', { metadata: { labels: { a: '2', c: '3', b: null } } }),
    { method: 'PUT', path: `${path}?fieldManager=putter` },
    apply('applier', object({ labels: { applied: 'yes' }, annotations: { n: '2' } }, {})),
    apply('whole', object({ finalizers: ['example.com/g'] }, body)),
    apply('whole', object({ finalizers: ['example.com/g'] }, body)),
    apply('whole', object({ labels: { applied: 'yes' } }, {})),
    patch('conflicting', object({ labels: { applied: 'no' } }, {}), APPLY),
    ...(status === undefined
      ? []
      : [
          patch('controller', { metadata: { labels: { s: '1' } }, status }, MERGE, `${path}/status`),
          apply('reporter', object({ annotations: { s: '1' } }, { ...body, status }), `${path}/status`),
          apply('reporter', object({}, {}), `${path}/status`),
          apply('applier', object({}, { status })),
        ]),
    ...(scale
      ? [
          patch('scaler', { spec: { replicas: 5 } }, MERGE, `${path}/scale`),
          apply(
            'autoscaler',
            { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas: 6 } },
            `${path}/scale`,
          ),
          apply(
            'autoscaler',
            { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: {} },
            `${path}/scale`,
          ),
        ]
      : []),
    patch('finisher', { metadata: { managedFields: [{}] } }),
    apply('late', object({ labels: { late: 'yes' } }, {})),
    patch('finisher', { metadata: { finalizers: null } }),
    { method: 'DELETE', path: `${path}?propagationPolicy=Background` },
  ];
}

/** One of the two. */
export class OwnedSide {
  readonly #client: ApiClient;

  constructor(target: ServerTarget) {
    this.#client = new ApiClient(target);
  }

  async start(): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
    await this.#client.request('POST', '/api/v1/namespaces', { body });
  }

  /** Serves a custom kind. */
  async define(definition: object): Promise<void> {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await this.#client.request('POST', path, { body: definition });
    const { group, versions, names } = Object(definition).spec;
    for (const { name } of versions) {
      const collection = `/apis/${group}/${name}/${names.plural}`;
      await vi.waitFor(async () => expect((await this.#client.get(collection)).status).toBe(200), 20_000);
    }
  }

  /** The answer to a write and the object after it, without what no two servers have in common. */
  async answer({ method, path, type, body }: OwnedStep): Promise<string> {
    const sent = body ?? (method === 'PUT' ? await this.#annotated(path) : undefined);
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await this.#client.request(method, path, { body: sent, headers });
    const text = `${answer.status} ${answer.headers['warning'] ?? ''} ${comparable(answer.text)}`;
    if (!path.includes('/scale?')) return text;
    return `${text}\n${comparable((await this.#client.get(path.slice(0, path.indexOf('/scale?')))).text)}`;
  }

  /** The owners of a stored object. */
  async owners(path: string): Promise<string> {
    const { metadata } = JSON.parse((await this.#client.get(path)).text);
    return JSON.stringify(normal(metadata.managedFields));
  }

  close(): void {
    this.#client.close();
  }

  async #annotated(path: string): Promise<object> {
    const { managedFields: _, ...object } = JSON.parse((await this.#client.get(path.split('?')[0] ?? '')).text);
    return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, put: 'yes' } } };
  }
}

const OWN: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'resourceVersion',
  'time',
  'uid',
  'username',
  'clusterIP',
  'clusterIPs',
  'deletionTimestamp',
]);

function comparable(text: string): string {
  return JSON.stringify(normal(JSON.parse(text)))
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, 'uid')
    .replaceAll(/Invalid value: \{.*?\}: field is immutable/gu, 'Invalid value: <object>: field is immutable');
}

/** Members in one order; those that are a server's own are only said to be there. */
function normal(value: unknown): unknown {
  // Causes are in the random order of a Go map; owners in that of their seconds, which differ between two servers.
  if (Array.isArray(value)) return isUnordered(value) ? value.map(normal).toSorted(byText) : value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).map(([key, member]) => [key, OWN.has(key) ? key : normal(member)] as const);
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isUnordered(list: readonly unknown[]): boolean {
  const [first] = list;
  const isObject = typeof first === 'object' && first !== null;
  return isObject && ('fieldsV1' in first || ('reason' in first && 'field' in first));
}

function byText(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1;
}
