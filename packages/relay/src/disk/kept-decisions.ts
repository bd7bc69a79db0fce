/** What the upstream has decided of users, for a relay that is restarted while it is away. Always encrypted. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { isRecord, listOf, textOf } from '@listwatch/api/values';
import type { DecisionCounts, KnownDecisions } from '../access/decision-cache.ts';
import { JournalFile } from './journal-file.ts';
import { readFrames } from './journal-frames.ts';
import { openPrivately } from './read-journal.ts';

/** A cache whose decisions are kept. */
export interface KnowingCache {
  readonly counts: Pick<DecisionCounts, 'asked'>;
  readonly known: KnownDecisions<unknown> | undefined;
  restore(known: KnownDecisions<never>): void;
}

/** What it needs. */
export interface KeptDecisionsOptions {
  readonly path: string;
  readonly key: Uint8Array;
  /** By name. */
  readonly caches: Readonly<Record<string, KnowingCache>>;
  readonly clock: Clock;
  readonly onWarning: (message: string) => void;
}

const EVERY_MS = 30_000;

/** A decision in it only stands in for one that cannot be asked for: see `StretchOptions`. */
export class KeptDecisions {
  readonly #options: KeptDecisionsOptions;
  readonly #file: JournalFile;
  #saved = 0;
  #saving: Promise<void> = Promise.resolve();
  #cancel: CancelTimer = () => {};

  constructor(options: KeptDecisionsOptions) {
    this.#options = options;
    this.#file = new JournalFile(options.path, options.key);
  }

  /** Before the first question. Never rejects: without it nobody is let in before the upstream can be asked. */
  async start(): Promise<void> {
    const { path, caches, onWarning } = this.#options;
    try {
      const kept = await this.#read();
      for (const [name, cache] of Object.entries(caches)) {
        const known = knownOf(kept?.[name]);
        if (known !== undefined) cache.restore(known);
      }
    } catch (error) {
      onWarning(`what is known of users (${path}) is not used: ${messageOf(error)}`);
    }
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.#saving;
    await this.#save();
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(EVERY_MS, () => {
      this.#saving = this.#save().then(() => this.#schedule());
    });
  }

  async #save(): Promise<void> {
    const { caches, onWarning } = this.#options;
    const asked = Object.values(caches).reduce((sum, { counts }) => sum + counts.asked, 0);
    if (asked === this.#saved) return;
    const known = Object.fromEntries(Object.entries(caches).map(([name, cache]) => [name, cache.known]));
    try {
      await this.#file.replace([Buffer.from(JSON.stringify(known))]);
      await this.#file.close();
      this.#saved = asked;
    } catch (error) {
      onWarning(`what is known of users cannot be kept: ${messageOf(error)}`);
    }
  }

  async #read(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { path, key } = this.#options;
    const file = await openPrivately(path);
    if (file === undefined) return undefined;
    try {
      const frame = await readFrames(file, key).next();
      if (frame.done === true) throw new Error('it is cut short or damaged, or was written with another key');
      const kept: unknown = JSON.parse(frame.value.toString());
      return isRecord(kept) ? kept : undefined;
    } finally {
      await file.close();
    }
  }
}

function knownOf(value: unknown): KnownDecisions<never> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = listOf(value['entries']).flatMap((entry) => {
    const [key, decided, until] = listOf(entry);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this program can have written it: it is sealed
    return typeof key === 'string' && typeof until === 'number' ? [[key, decided as never, until] as const] : [];
  });
  return { secret: textOf(value['secret']), entries };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
