/** The records of credentials that were given: Secrets of kube-system, which the server reads. Nothing secret is in them. */

import { isNotFound, type ObjectMeta, resource } from '@listwatch/api';
import { textRecordOf } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';
import { USER_RECORD, userRecordName } from '@listwatch/server/internal';

/** One credential. */
export interface UserRecord {
  /** The id of the token, or the serial number of the certificate in lower-case hex. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
  readonly kind: 'certificate' | 'token';
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly expires: number;
  readonly revoked: number | undefined;
}

interface RecordSecret {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const SECRETS = resource<RecordSecret>({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const LABEL = 'listwatch.dev/user';
const { namespace } = USER_RECORD;

/** Those of one cluster. */
export class UserRecords {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async list(): Promise<readonly UserRecord[]> {
    const { items } = await this.#cluster.list(SECRETS, { namespace, labelSelector: `${LABEL}=true` });
    return items.flatMap((secret) => {
      const record = secret.type === USER_RECORD.type ? recordOf(secret) : undefined;
      return record === undefined ? [] : [record];
    });
  }

  async add(record: UserRecord): Promise<void> {
    const { id, name, groups, kind, created, expires } = record;
    const facts = {
      id,
      username: name,
      groups: JSON.stringify(groups),
      kind,
      created: new Date(created).toISOString(),
      expires: new Date(expires).toISOString(),
    };
    await this.#cluster.create(SECRETS, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: userRecordName(id), labels: { [LABEL]: 'true' } },
      type: USER_RECORD.type,
      data: Object.fromEntries(Object.entries(facts).map(([key, text]) => [key, base64(text)])),
    });
  }

  /** A token counts while its record exists. A certificate needs a record that says it does not count. */
  async revoke({ id, kind }: UserRecord, now: number): Promise<void> {
    if (kind === 'token') return this.remove(id);
    const body = { data: { [USER_RECORD.revoked]: base64(new Date(now).toISOString()) } };
    await this.#cluster.patch(SECRETS, { namespace, name: userRecordName(id) }, { type: 'merge', body });
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#cluster.delete(SECRETS, { namespace, name: userRecordName(id) });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function recordOf({ data }: RecordSecret): UserRecord | undefined {
  const facts = textRecordOf(data);
  const text = (key: string): string => Buffer.from(facts[key] ?? '', 'base64').toString('utf8');
  const kind = text('kind');
  if (kind !== 'certificate' && kind !== 'token') return undefined;
  const revoked = text(USER_RECORD.revoked);
  return {
    id: text('id'),
    name: text('username'),
    groups: groupsOf(text('groups')),
    kind,
    created: Date.parse(text('created')),
    expires: Date.parse(text('expires')),
    revoked: revoked === '' ? undefined : Date.parse(revoked),
  };
}

function groupsOf(text: string): readonly string[] {
  try {
    const groups: unknown = JSON.parse(text);
    return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
  } catch {
    return [];
  }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
