import type { ApiObject } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { createRelay, createUpstream, type Relay, type RelayJournalOptions, type RelayOptions } from '@listwatch/relay';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import type { TestEnvironment } from '@listwatch/testing';

/** The journals of the fixture: one that anybody can read, one that is encrypted and has Secrets. */
export const JOURNALS = [
  { name: 'plain', kinds: ['configmaps'], key: undefined },
  { name: 'sealed', kinds: ['configmaps', 'secrets'], key: Buffer.alloc(32, 7) },
] as const;

/** The name of a kind's journal below the folder of a relay. */
export function journalFile(kind: string): string {
  return `relay-journal/${kind}.v1.journal`;
}

/** What the journals of a relay were written of, and what is in them: by the names of {@link JOURNALS}. */
export interface RecordedRelay {
  readonly release: string;
  readonly cluster: string;
  readonly journals: Readonly<Record<string, RecordedItems>>;
}

/** By kind. */
export type RecordedItems = Readonly<Record<string, readonly ApiObject[]>>;

/**
 * The store of the upstream as the relay knew it, with each object at its version: a store that was restored from a copy jumps ahead, and
 * what was kept of it is not gone on with.
 */
export async function recordedUpstream(items: RecordedItems): Promise<StorageEngine> {
  const engine = createMemoryEngine({ firstRevision: 1n });
  const objects = Object.entries(items).flatMap(([kind, list]) => list.map((object) => ({ kind, object })));
  const revisionOf = ({ object }: (typeof objects)[number]): number => Number(object.metadata.resourceVersion);
  for (const one of objects.toSorted((left, right) => revisionOf(left) - revisionOf(right))) {
    const { resourceVersion: _, ...metadata } = one.object.metadata;
    const value = Buffer.from(JSON.stringify({ ...one.object, metadata }));
    const key = `/registry/${one.kind}/default/${metadata.name ?? ''}`;
    while ((await engine.revision()) < BigInt(revisionOf(one)) - 1n) {
      await engine.commit({ type: 'put', key: '/other', value: Buffer.from('{}') });
    }
    await engine.commit({ type: 'put', key, value });
  }
  return engine;
}

/** A relay with journals that follows the server, which says that it is of this cluster and release. */
export async function withJournaledRelay(
  env: TestEnvironment,
  {
    recorded,
    journal,
    kinds,
  }: Pick<RelayOptions, 'kinds'> & { recorded?: RecordedRelay; journal: RelayJournalOptions },
  work: (relay: Relay) => Promise<void>,
): Promise<void> {
  const { cluster } = env;
  // Nothing passes here: what is asked for is in a cache.
  const upstream = createUpstream({ server: 'https://listwatch.invalid', tls: async () => ({}) });
  try {
    await using relay = await createRelay({
      cluster: recorded === undefined ? cluster : disguised(cluster, recorded),
      upstream,
      kinds,
      journal,
    });
    await relay.start();
    await work(relay);
  } finally {
    upstream.close();
  }
}

/** A journal of another cluster or release costs a list, and it should: the server of the test is another one, of a later version. */
function disguised(cluster: Cluster, { release, cluster: uid }: RecordedRelay): Cluster {
  const raw: Cluster['raw'] = async (path, options) => {
    const answer = await cluster.raw(path, options);
    if (path !== '/version') return answer;
    const json = async () => ({ ...(await answer.json()), gitVersion: release });
    return new Proxy(answer, { get: (target, name) => (name === 'json' ? json : bound(target, name)) });
  };
  const get: Cluster['get'] = async (kind, place, options) => {
    const object = await cluster.get(kind, place, options);
    const isIdentity = kind.plural === 'namespaces' && place.name === 'kube-system';
    return isIdentity ? { ...object, metadata: { ...object.metadata, uid } } : object;
  };
  const own: Readonly<Record<string | symbol, unknown>> = { raw, get };
  return new Proxy(cluster, { get: (target, name) => own[name] ?? bound(target, name) });
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

/** What the relay has of a kind, as it answers it from its cache. The server must listen: only then it has a token. */
export async function relayedItems(relay: Relay, env: TestEnvironment, kind: string): Promise<readonly ApiObject[]> {
  const path = `/api/v1/namespaces/default/${kind}?resourceVersion=0`;
  const [, token = ''] = /token: "?([^"\s]+)/u.exec(env.kubeconfig) ?? [];
  const answer = await relay.handle({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
  let text = '';
  for await (const part of answer.body) text += Buffer.from(part).toString();
  const list: { readonly apiVersion: string; readonly kind: string; readonly items: readonly ApiObject[] } =
    JSON.parse(text);
  // As a client shows them: its items have a type.
  const type = { apiVersion: list.apiVersion, kind: list.kind.replace(/List$/u, '') };
  return list.items.map((item) => ({ ...type, ...item }));
}
