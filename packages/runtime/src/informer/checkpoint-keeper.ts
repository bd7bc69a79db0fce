/** Saves an informer's cache now and then, and when it ends. */

import type { ApiObject, CancelTimer, Clock, ResourceVersion } from '@listwatch/api';
import type { StoreWriter } from '../store/store-writer.ts';
import type { Checkpoint, CheckpointIdentity } from './checkpoint.ts';
import type { WarningSink } from './informer-warning.ts';

export interface CheckpointKeeperOptions {
  readonly checkpoint: Checkpoint;
  readonly identity: CheckpointIdentity;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly warn: WarningSink;
}

export class CheckpointKeeper<T extends ApiObject> {
  readonly #writer: StoreWriter<T>;
  readonly #options: CheckpointKeeperOptions;
  #savedAt = '';
  #saving: Promise<void> | undefined;
  #cancel: CancelTimer | undefined;

  constructor(writer: StoreWriter<T>, options: CheckpointKeeperOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  /** Saves at intervals from now on. `saved`: what is in the store came from the checkpoint. */
  start(saved: boolean): void {
    if (saved) this.#savedAt = this.#position();
    this.#schedule();
  }

  /** Saves once more. */
  async close(): Promise<void> {
    this.#cancel?.();
    await this.#saving;
    this.#cancel?.();
    await this.#save();
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.after(this.#options.intervalMs, () => {
      this.#saving = this.#save().then(() => this.#schedule());
    });
  }

  async #save(): Promise<void> {
    const position = this.#position();
    const versions = new Map<string, ResourceVersion>();
    for (const [source, version] of this.#writer.version.sources)
      if (version !== undefined) versions.set(source, version);
    // Before the first list of every source there is nothing that could be resumed from.
    if (position === this.#savedAt || this.#writer.version.current === undefined) return;
    const snapshot = this.#writer.snapshot();
    try {
      await this.#options.checkpoint.save(this.#options.identity, { versions, ...snapshot });
      this.#savedAt = position;
    } catch (error) {
      this.#options.warn({ type: 'CHECKPOINT_NOT_SAVED', message: 'it will be tried again', error });
    }
  }

  #position(): string {
    return JSON.stringify([...this.#writer.version.sources]);
  }
}
