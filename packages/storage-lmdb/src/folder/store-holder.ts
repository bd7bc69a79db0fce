/** One process at a time: who holds a store, and whether it still lives. */

import { randomUUID } from 'node:crypto';
import { statSync, utimes, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { type CancelTimer, type Clock, StorageError } from '@listwatch/storage';
import { writeFailure } from '../commit-failure.ts';
import type { Tables } from '../tables.ts';
import { type FileIdentity, fileIdentity, isFileIdentity, isSameFile } from './file-identity.ts';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts';
import { FILE_MODE, fileExists, HOLDER_FILE } from './store-folder.ts';

const HEARTBEAT_MS = 5000;
/** An older heartbeat means that the holder is gone. */
const BELIEVED_MS = 4 * HEARTBEAT_MS;

/** The process that has the store. */
interface Holder extends ProcessIdentity {
  /** When it opened the store. */
  readonly since: string;
  /** Different each time that the store is opened. Versions before this one did not write it, nor the next. */
  readonly id?: string | undefined;
  /** The data file that it opened: in a copy of the file the holder means nothing. */
  readonly file?: FileIdentity | undefined;
}

/** Holders of this process that could not remove their entry from the file, because the disk was full. */
const released = new Set<string>();

/** The lock on a store, as long as this process has it. */
export class StoreHolder {
  readonly #tables: Tables;
  readonly #file: string;
  readonly #self: Holder;
  #cancelHeartbeat: CancelTimer;

  private constructor(tables: Tables, file: string, self: Holder) {
    this.#tables = tables;
    this.#file = file;
    this.#self = self;
    this.#cancelHeartbeat = this.#scheduleHeartbeat();
  }

  /** Takes the store, or throws `IN_USE` with the name of its holder. */
  static take(tables: Tables, folder: string, clock: Clock = backgroundClock): StoreHolder {
    const file = join(folder, HOLDER_FILE);
    const since = new Date(clock.now()).toISOString();
    const self: Holder = { ...ownIdentity(), since, id: randomUUID(), file: fileIdentity(folder) };
    try {
      // LMDB lets one process at a time into a write transaction, so nobody comes between looking and taking.
      tables.root.transactionSync(() => {
        const holder = tables.facts.get('holder');
        if (isHolder(holder) && holds(holder, self, file, clock)) throw inUse(folder, holder, self);
        tables.facts.putSync('holder', self);
      });
    } catch (error) {
      throw writeFailure(error, folder);
    }
    const taken = new StoreHolder(tables, file, self);
    try {
      writeFileSync(file, `${JSON.stringify(self)}\n`, { mode: FILE_MODE });
    } catch (error) {
      // On a full disk: what counts is the time of the file, not its text.
      if (!fileExists(file)) {
        taken.release();
        throw writeFailure(error, folder);
      }
    }
    return taken;
  }

  /** Lets go of the store. */
  release(): void {
    this.#cancelHeartbeat();
    try {
      this.#tables.facts.removeSync('holder');
    } catch {
      // The disk is full. Other processes see that this one has ended; this one has to remember it.
      if (this.#self.id !== undefined) released.add(this.#self.id);
    }
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

/** Throws `IN_USE` when `holder`, as it stands in the store, is a process that lives. */
export function refuseHolder(holder: unknown, folder: string, clock: Clock = backgroundClock): void {
  const self: Holder = { ...ownIdentity(), since: '', id: '', file: fileIdentity(folder) };
  if (isHolder(holder) && holds(holder, self, join(folder, HOLDER_FILE), clock)) throw inUse(folder, holder, self);
}

/** Whether `holder` still has the store. */
function holds(holder: Holder, self: Holder, file: string, clock: Clock): boolean {
  if (holder.id !== undefined && released.has(holder.id)) return false;
  const alive = isAlive(holder, self);
  // A process that cannot be looked up may see the same file with another identity.
  if (alive === undefined) return beatsStill(file, clock);
  const copied = isFileIdentity(holder.file) && self.file !== undefined && !isSameFile(holder.file, self.file);
  return alive && !copied;
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
