/** A configuration file that is read again whenever it changes. */

import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { backgroundClock, type CancelTimer, type Clock } from '@listwatch/api';
import type { Logger } from 'pino';

/** What to do with it. */
export interface FollowedFileParts {
  readonly path: string;
  /** The option that names it, without its dashes. */
  readonly option: string;
  /**
   * Uses another text. What it throws, or rejects with, is logged; the text before stays in use. A `TypeError` says that the text is
   * wrong. After any other failure the text is tried again each minute: a provider or a file that it names may have been missing.
   */
  readonly use: (text: string) => Promise<void>;
  /** Hears of a text that was not used, and of a file that cannot be read. Default: nobody hears. */
  readonly onFailure?: (() => void) | undefined;
  readonly log: Logger;
  /** Default: the machine's, which keeps no process alive. */
  readonly clock?: Clock | undefined;
}

/** Editors write a file in several steps. */
const SETTLE_MS = 200;
/** As kube-apiserver: some file systems tell of no changes. */
const POLL_MS = 60_000;

/** Begins with the `text` that was read at the start. */
export class FollowedFile {
  readonly #parts: FollowedFileParts;
  readonly #clock: Clock;
  #cancelPoll: CancelTimer = () => {};
  #watcher: FSWatcher | undefined;
  #cancelSettling: CancelTimer | undefined;
  #text: string;
  /** Could not be used, and may be later. */
  #failed: string | undefined;
  #mayRetry = false;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: FollowedFileParts, text: string) {
    this.#parts = parts;
    this.#clock = parts.clock ?? backgroundClock;
    this.#text = text;
    this.#follow();
    this.#pollLater();
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll();
    this.#cancelSettling?.();
    this.#watcher?.close();
    await this.#work;
  }

  /** The folder: an editor, and a volume of Kubernetes, put another file in the place of the old one. */
  #follow(): void {
    const { path, option, log } = this.#parts;
    this.#watcher = watch(dirname(path), { persistent: false }, () => this.#changed());
    this.#watcher.on('error', (error) =>
      log.warn({ err: error, path }, `changes of --${option} are seen only once a minute`),
    );
  }

  #pollLater(): void {
    this.#cancelPoll = this.#clock.after(POLL_MS, () => {
      this.#mayRetry = true;
      this.#changed();
      this.#pollLater();
    });
  }

  #changed(): void {
    // Not put off by every change: in a busy folder the file would never be read.
    if (this.#isClosed || this.#cancelSettling !== undefined) return;
    this.#cancelSettling = this.#clock.after(SETTLE_MS, () => {
      this.#cancelSettling = undefined;
      this.#work = this.#reload(this.#work);
    });
  }

  /** One after the other: an older file must not win. */
  async #reload(before: Promise<void>): Promise<void> {
    await before;
    const { path, option, onFailure, log } = this.#parts;
    try {
      await this.#use(readFileSync(path, 'utf8'));
    } catch (error) {
      if (this.#isClosed) return;
      onFailure?.();
      const problem = error instanceof Error ? error.message : String(error);
      log.error({ path, problem }, `the changed --${option} is not used`);
    }
  }

  async #use(text: string): Promise<void> {
    if (this.#isClosed || text === this.#text) return;
    // Changes of other files in the folder must not repeat a slow attempt all the time.
    if (text === this.#failed && !this.#mayRetry) return;
    this.#mayRetry = false;
    try {
      await this.#parts.use(text);
    } catch (error) {
      if (error instanceof TypeError) this.#text = text;
      else this.#failed = text;
      throw error;
    }
    this.#text = text;
    this.#failed = undefined;
  }
}
