/** The journals of a relay, one for each kind, and what they must be of. */

import { join } from 'node:path';
import type { Clock } from '@listwatch/api';
import type { ResourceCache } from '@listwatch/server/read';
import type { ClusterIdentity } from '../feed/cluster-identity.ts';
import type { KindKeeper } from '../feed/kept-kind.ts';
import type { RelayedKind } from '../kinds/relayed-kind.ts';
import { openJournalFolder } from './journal-folder.ts';
import type { JournalFacts } from './journal-record.ts';
import { KeptDecisions, type KnowingCache } from './kept-decisions.ts';
import { KindJournal } from './kind-journal.ts';

/** What the journals need. */
export interface RelayJournalsOptions {
  readonly folder: string;
  /** 32 bytes. Default: they are not encrypted, and Secrets are not written. */
  readonly key?: Uint8Array | undefined;
  /** Serves what was kept also while the upstream cannot be asked which cluster it is. */
  readonly servesUnasked: boolean;
  readonly identity: ClusterIdentity;
  /** The release of the upstream; `''`: it cannot be asked. */
  readonly release: () => Promise<string>;
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
}

const SECRETS = '/v1/secrets';

/** A journal of another cluster, kind, release or schema is not used. */
export class RelayJournals {
  readonly #options: RelayJournalsOptions;
  readonly #byKind = new Map<RelayedKind, KindJournal>();
  #path = '';
  /** What is shown was written under this release, which the upstream could not be asked for. */
  #assumedRelease: string | undefined;

  constructor(options: RelayJournalsOptions) {
    this.#options = options;
  }

  /** Before anything else. Throws when the folder cannot be used. */
  async open(): Promise<void> {
    this.#path = await openJournalFolder(this.#options.folder);
  }

  /** Undefined: the kind is not written to disk. */
  of(kind: RelayedKind): KindJournal | undefined {
    return this.#byKind.get(kind);
  }

  readonly keeper = (kind: RelayedKind, cache: ResourceCache): KindKeeper | undefined => {
    const { key, clock, servesUnasked, onWarning } = this.#options;
    const id = idOf(kind);
    if (id === SECRETS && key === undefined) {
      onWarning(`${kind.name}: there is no journal of them, for it is not encrypted: give it a key`);
      return undefined;
    }
    const before = [...this.#byKind.keys()].find((other) => idOf(other) === id);
    // Of another definition: two may not write one file.
    const closed = before && this.#byKind.get(before)?.close();
    if (before !== undefined) this.#byKind.delete(before);
    const schema = kind.custom?.schema ?? '';
    const journal = new KindJournal({
      name: kind.name,
      path: join(this.#path, `${fileName(kind)}.journal`),
      key,
      cache,
      clock,
      servesUnasked,
      facts: async () => {
        await closed;
        return this.#facts(id, schema);
      },
      check: (facts) => this.#check(id, schema, facts),
      onWarning,
    });
    this.#byKind.set(kind, journal);
    return journal;
  };

  /** Undefined: without a key nothing is written of users. */
  decisions(caches: Readonly<Record<string, KnowingCache>>): KeptDecisions | undefined {
    const { key, clock, onWarning } = this.#options;
    if (key === undefined) return undefined;
    return new KeptDecisions({ path: join(this.#path, 'users.sealed'), key, caches, clock, onWarning });
  }

  /** After the upstream has said that it is the same cluster: why what is shown may still not be what it has. */
  readonly contradiction = async (): Promise<string | undefined> => {
    const assumed = this.#assumedRelease;
    if (assumed === undefined) return undefined;
    const release = await this.#options.release();
    if (release === '') throw new Error('the upstream server does not say its release');
    this.#assumedRelease = undefined;
    return release === assumed ? undefined : `the upstream server is of another release than before (${release})`;
  };

  async close(): Promise<void> {
    await Promise.all([...this.#byKind.values()].map((journal) => journal.close()));
  }

  async #facts(kind: string, schema: string): Promise<JournalFacts> {
    const { identity, release } = this.#options;
    const cluster = identity.uid;
    // Nothing could tell it from the journal of another one.
    if (cluster === undefined)
      throw new Error('the upstream server does not say which cluster it is (the uid of its namespace kube-system)');
    return { kind, cluster, release: this.#assumedRelease ?? (await release()), schema };
  }

  async #check(kind: string, schema: string, found: JournalFacts): Promise<void> {
    const { identity, servesUnasked } = this.#options;
    if (found.kind !== kind) throw new Error(`it is of another kind (${found.kind})`);
    if (found.schema !== schema) throw new Error('the CustomResourceDefinition of its kind has changed');
    if (servesUnasked) identity.expect(found.cluster);
    if (identity.uid !== found.cluster)
      throw new Error(
        `it is of another cluster (${found.cluster}), not ${identity.uid ?? 'one that says which it is'}`,
      );
    const release = this.#assumedRelease ?? (await this.#options.release());
    if (release === '' && servesUnasked) this.#assumedRelease = found.release;
    else if (release !== found.release)
      throw new Error(`it is of another release of the upstream server (${found.release}), not ${release}`);
  }
}

function idOf({ resource }: RelayedKind): string {
  return `${resource.group}/${resource.version}/${resource.plural}`;
}

function fileName({ resource: { group, version, plural } }: RelayedKind): string {
  return [plural, version, ...(group === '' ? [] : [group])].join('.');
}
