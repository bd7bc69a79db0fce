import { type ApiObject, failureStatus, resource, systemClock } from '@listwatch/api';
import { assemble, type Cluster, createCluster, createLoopbackTransport } from '@listwatch/client';
import { eventually } from '@listwatch/conformance/storage';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Informer, type InformerOptions, informer } from '../src/index.ts';
import { MutatingTransport, type Mutation, mutated, mutationsOf, type Trouble } from './mutated-answer.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

type Way = Pick<InformerOptions<ConfigMap>, 'compact' | 'initialStrategy'>;

interface Subject {
  readonly mutation: Mutation;
  readonly transport: MutatingTransport;
  readonly cluster: Cluster;
  readonly cache: Informer<ConfigMap>;
  /** What handlers threw who relied on the type. */
  readonly broken: readonly unknown[];
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const ADMIN = { name: 'admin', groups: ['system:masters'] };
const WAYS: readonly (readonly [string, Way])[] = [
  ['a list', { initialStrategy: 'listWatch' }],
  ['a list, kept as bytes', { initialStrategy: 'listWatch', compact: true }],
  ['a stream', { initialStrategy: 'streamingList' }],
  ['a stream, kept as bytes', { initialStrategy: 'streamingList', compact: true }],
];

let engine: StorageEngine;
let server: ApiServer;
let sane: Cluster;
let subjects: Subject[];

beforeEach(async () => {
  engine = createMemoryEngine();
  server = createApiServer({ engine });
  await server.start();
  sane = createCluster(loopback(), { server: 'loopback:' });
  subjects = [];
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: '5f2c', controller: true };
  await sane.create(configMaps, {
    metadata: {
      name: 'a',
      labels: { l: 'v' },
      annotations: { n: 'v' },
      finalizers: ['x.io/f'],
      ownerReferences: [owner],
    },
    data: { value: 'first' },
  });
});

afterEach(async () => {
  await Promise.all(subjects.map(({ cache }) => cache.close()));
  await sane.close();
  await server.close();
  await engine.close();
});

function loopback() {
  return createLoopbackTransport({ handle: (request) => server.handle(request, { user: ADMIN }) });
}

function start(mutation: Mutation, way: Way, trouble?: Trouble): Subject {
  const transport = new MutatingTransport(loopback());
  transport.trouble = trouble;
  const cluster = createCluster(assemble(transport, { clock: systemClock, maxRetries: 0 }), { server: 'loopback:' });
  const cache = informer(cluster, configMaps, {
    namespace: 'default',
    backoff: { initialMs: 2, maxMs: 8 },
    markerQuietMs: 100,
    ...way,
  });
  const broken: unknown[] = [];
  const look = ({ object }: { readonly object: ConfigMap }): void => {
    try {
      readAsTyped(object);
    } catch (error) {
      broken.push(error);
    }
  };
  cache.on({ add: look, update: look });
  const subject = { mutation, transport, cluster, cache, broken };
  subjects.push(subject);
  return subject;
}

/** Uses what the type of the metadata promises. */
function readAsTyped({ metadata }: ConfigMap): string {
  const {
    name,
    namespace = '',
    uid = '',
    labels = {},
    annotations = {},
    finalizers = [],
    ownerReferences = [],
  } = metadata;
  const texts = [name, namespace, uid, metadata.deletionTimestamp ?? '', metadata.creationTimestamp ?? ''];
  texts.push(...Object.values(labels), ...Object.values(annotations), ...finalizers);
  texts.push(...ownerReferences.map((owner) => owner.name + owner.kind));
  return texts.map((text) => text.trim()).join();
}

/** All see what the server has now, although no answer is mutated any more and nobody has restarted them. */
async function recover(): Promise<void> {
  for (const { transport } of subjects) transport.trouble = undefined;
  const { metadata } = await sane.patch(
    configMaps,
    { name: 'a' },
    { type: 'merge', body: { data: { value: 'sane' } } },
  );
  const isSane = ({ cache }: Subject): boolean =>
    cache.status.phase === 'live' &&
    cache.store.get('default/a')?.metadata.resourceVersion === metadata.resourceVersion;
  await eventually('every informer has recovered', () =>
    subjects.every((one) => one.cache.status.phase === 'stopped' || isSane(one)),
  );
  const lost = subjects.filter((one) => !isSane(one));
  expect(lost.map(({ mutation, cache }) => ({ ...mutation, status: cache.status }))).toEqual([]);
  const misled = subjects.filter(({ broken }) => broken.length > 0);
  expect(misled.map(({ mutation, broken }) => ({ ...mutation, error: String(broken[0]) }))).toEqual([]);
}

async function listDocument(): Promise<unknown> {
  return JSON.parse(JSON.stringify(await sane.list(configMaps, { namespace: 'default' })));
}

async function objectDocument(): Promise<unknown> {
  return JSON.parse(JSON.stringify(await sane.get(configMaps, { name: 'a' })));
}

const asText = (document: unknown, mutation: Mutation): string => JSON.stringify(mutated(document, mutation));

const changed = (): boolean => subjects.every(({ transport }) => transport.changed > 0);

describe.each(WAYS)('an informer that begins with %s survives', (_, way) => {
  it('any field of the first answer with any JSON type, and recovers', async () => {
    const isStream = way.initialStrategy === 'streamingList';
    const document = isStream ? { type: 'ADDED', object: await objectDocument() } : await listDocument();
    for (const mutation of mutationsOf(document)) {
      const change = (text: string): string => asText(JSON.parse(text), mutation);
      start(mutation, way, isStream ? { frame: change } : { list: (text) => ({ status: 200, text: change(text) }) });
    }
    await eventually('every informer has met its mutation', changed);
    await recover();
  });

  it('any field of an event with any JSON type, and recovers', async () => {
    for (const mutation of mutationsOf({ type: 'MODIFIED', object: await objectDocument() })) start(mutation, way);
    await Promise.all(subjects.map(({ cache }) => cache.synced));
    for (const { transport, mutation } of subjects)
      transport.trouble = { frame: (text) => asText(JSON.parse(text), mutation) };
    await sane.patch(configMaps, { name: 'a' }, { type: 'merge', body: { data: { value: 'mutated' } } });
    await eventually('every informer has met its mutation', changed);
    await recover();
  });

  it('any field of a bookmark or of an ERROR with any JSON type, and recovers', async () => {
    const { resourceVersion } = (await sane.list(configMaps)).metadata;
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const bookmark = {
      type: 'BOOKMARK',
      object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion, annotations } },
    };
    const causes = [{ reason: 'r', message: 'm', field: 'f' }];
    const details = { name: 'n', group: 'g', kind: 'k', uid: 'u', causes, retryAfterSeconds: 0 };
    const status = failureStatus({ code: 410, reason: 'Expired', message: 'gone', details });
    const documents = [bookmark, { type: 'ERROR', object: { ...status, details } }];
    for (const document of documents) {
      for (const mutation of mutationsOf(document)) start(mutation, way, { first: () => asText(document, mutation) });
    }
    await eventually('every informer has met its mutation', changed);
    await recover();
  });

  it('any field of the Status of a refusal with any JSON type, and recovers', async () => {
    const causes = [{ reason: 'r', message: 'm', field: 'f' }];
    const details = { name: 'n', group: 'g', kind: 'k', uid: 'u', causes, retryAfterSeconds: 0 };
    const status = { ...failureStatus({ code: 429, reason: 'TooManyRequests', message: 'later', details }), details };
    for (const mutation of mutationsOf(status)) {
      start(
        mutation,
        { ...way, initialStrategy: 'listWatch' },
        { list: () => ({ status: 429, text: asText(status, mutation) }) },
      );
    }
    await eventually('every informer has met its mutation', changed);
    await recover();
  });
});
