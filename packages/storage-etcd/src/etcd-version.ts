/** Which etcd it is, and what can be asked of it. */

import { EtcdClient } from './etcd-client.ts';
import { type EtcdEngineOptions, resolveEtcdOptions } from './etcd-options.ts';
import { ProtoReader } from './proto-reader.ts';

const STATUS = '/etcdserverpb.Maintenance/Status';
/** A member that does not answer within this time is not waited for. */
const PATIENCE = '2s';

/**
 * Whether every member of the cluster answers progress requests in order with the events: what the option
 * `progressRequests` declares. A member that cannot be asked counts as one that does not, because it may come back.
 */
export async function answersProgressInOrder(options: EtcdEngineOptions): Promise<boolean> {
  const versions = await Promise.all(options.endpoints.map((endpoint) => versionOf(options, endpoint)));
  return versions.every((version) => version !== undefined && hasOrderedProgress(version));
}

/** Before 3.4.25, and in 3.5.0 to 3.5.7, the answer to a progress request can overtake events. */
export function hasOrderedProgress(version: string): boolean {
  const [, major = '0', minor = '0', patch = '0'] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  const [series, fix] = [Number(major) * 1000 + Number(minor), Number(patch)];
  if (series === 3004) return fix >= 25;
  if (series === 3005) return fix >= 8;
  return series > 3005;
}

async function versionOf(options: EtcdEngineOptions, endpoint: string): Promise<string | undefined> {
  const client = new EtcdClient(resolveEtcdOptions({ ...options, endpoints: [endpoint], requestTimeout: PATIENCE }));
  try {
    return decodeVersion(await client.call(STATUS, Buffer.alloc(0), { write: false }));
  } catch {
    // Whoever uses the engine is told why; here it only means that nothing is known.
    return undefined;
  } finally {
    await client.close();
  }
}

function decodeVersion(message: Buffer): string {
  const reader = new ProtoReader(message);
  let version = '';
  while (reader.next()) {
    if (reader.field === 2) version = reader.string();
    else reader.skip();
  }
  return version;
}
