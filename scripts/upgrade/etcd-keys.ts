import { type ApiObject, type Resource, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { askEtcd, type EtcdProcess } from '@listwatch/conformance/parts';
import { configMaps, customResourceDefinitions, leases, secrets, services } from '@listwatch/kinds';

/** Every key and value of an etcd in base64, as etcd's own gateway says them: nothing of ours has read them. */
export type EtcdKeys = readonly { readonly key: string; readonly value: string }[];

/** Where the keys of a fixture are. Recorded keys begin with it. */
export const ETCD_ROOT = '/upgrade/';
const backups: Resource = resource({
  group: 'example.com',
  version: 'v1',
  plural: 'backups',
  kind: 'Backup',
  namespaced: true,
});
/** The kind of some objects of the fixture. */
export const BACKUP_CRD: ApiObject & { readonly spec: object } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'backups.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'backups', singular: 'backup', kind: 'Backup' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { schedule: { type: 'string' } } } },
          },
        },
      },
    ],
  },
};

const KINDS: readonly Resource[] = [backups, configMaps, customResourceDefinitions, leases, secrets, services];

/** Objects of built-in and custom kinds: what is encoded, what takes an address, what nobody but the server reads. */
export async function createObjects(cluster: Cluster): Promise<void> {
  const metadata = { namespace: 'default', name: 'kept' };
  const backup: ApiObject & { readonly spec: object } = { metadata, spec: { schedule: '0 1 * * *' } };
  await cluster.create(backups, backup);
  await cluster.create(configMaps, { metadata, data: { text: 'é'.repeat(300) } });
  await cluster.create(secrets, { metadata, data: { password: 'c2VjcmV0' } });
  await cluster.create(services, { metadata, spec: { selector: { app: 'kept' }, ports: [{ port: 80 }] } });
  await cluster.create(leases, { metadata, spec: { holderIdentity: 'somebody', leaseDurationSeconds: 15 } });
}

/** Every object of these kinds, without the version that the store gives it. */
export async function readObjects(cluster: Cluster): Promise<readonly object[]> {
  const lists = await Promise.all(KINDS.map((kind) => cluster.list(kind)));
  return lists
    .flatMap(({ items }) => items)
    .filter(({ metadata }) => metadata.name === 'kept' || metadata.name === BACKUP_CRD.metadata.name)
    .map((object) => ({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } }));
}

export async function dumpEtcd(etcd: EtcdProcess): Promise<EtcdKeys> {
  const everything = Buffer.from([0]).toString('base64');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the answer of etcd's gateway
  const answer = (await askEtcd(etcd, 'kv/range', { key: everything, range_end: everything })) as {
    readonly kvs?: EtcdKeys;
  };
  return (answer.kvs ?? []).map(({ key, value }) => ({ key, value }));
}

export async function restoreEtcd(etcd: EtcdProcess, keys: EtcdKeys): Promise<void> {
  for (const { key, value } of keys) await askEtcd(etcd, 'kv/put', { key, value });
}
