/** One process at a time: who holds a store, and whether it still lives. */

import { statSync, utimes, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { type CancelTimer, type Clock, StorageError } from '@listwatch/storage';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import type { Tables } from './tables.ts';

/** A file that the holder touches, for those in other containers who cannot see whether it lives. */
const HEARTBEAT_FILE = 'holder';
const HEARTBEAT_MS = 5000;
/** A heartbeat that is older than this is one of the dead. */
const BELIEVED_MS = 4 * HEARTBEAT_MS;

/** The process that has the store. */
interface Holder extends ProcessIdentity {
  /** When it opened the store. */
  readonly since: string;
}

/** The lock on a store, as long as this process has it. */
export class StoreHolder {
  readonly #tables: Tables;
  readonly #file: string;
  #cancelHeartbeat: CancelTimer;

  private constructor(tables: Tables, file: string) {
    this.#tables = tables;
    this.#file = file;
    this.#cancelHeartbeat = this.#scheduleHeartbeat();
  }

  /** Takes the store, or throws `IN_USE` with the name of its holder. */
  static take(tables: Tables, folder: string, clock: Clock = backgroundClock): StoreHolder {
    const file = join(folder, HEARTBEAT_FILE);
    const self: Holder = { ...ownIdentity(), since: new Date(clock.now()).toISOString() };
    // LMDB lets one process at a time into a write transaction, so nobody comes between looking and taking.
    tables.root.transactionSync(() => {
      const holder = tables.facts.get('holder');
      if (isHolder(holder) && (isAlive(holder, self) ?? beatsStill(file, clock))) throw inUse(folder, holder, self);
      tables.facts.putSync('holder', self);
    });
    writeFileSync(file, `${JSON.stringify(self)}\n`);
    return new StoreHolder(tables, file);
  }

  /** Lets go of the store. */
  release(): void {
    this.#cancelHeartbeat();
    this.#tables.facts.removeSync('holder');
  }

  #scheduleHeartbeat(): CancelTimer {
    return backgroundClock.after(HEARTBEAT_MS, () => {
      const now = new Date();
      utimes(this.#file, now, now, () => undefined);
      this.#cancelHeartbeat = this.#scheduleHeartbeat();
    });
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'pid' in value && 'boot' in value && 'since' in value;
}

function beatsStill(file: string, clock: Clock): boolean {
  const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return clock.now() - modified < BELIEVED_MS;
}

function inUse(folder: string, holder: Holder, self: Holder): StorageError {
  const own = holder.pid === self.pid && holder.namespace === self.namespace;
  const who = own ? `this process (${holder.pid})` : `process ${holder.pid} on ${holder.host}`;
  return new StorageError('IN_USE', `the store in ${folder} is in use by ${who} since ${holder.since}`);
}
