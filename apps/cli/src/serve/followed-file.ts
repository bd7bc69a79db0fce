/** A configuration file that is read again whenever it changes. */

import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';

/** What to do with it. */
export interface FollowedFileParts {
  readonly path: string;
  /** The option that names it, without its dashes. */
  readonly option: string;
  /** Uses another text. What it throws, or rejects with, is logged; the text before stays in use. */
  readonly use: (text: string) => Promise<void>;
  /** Hears of a text that was not used, and of a file that cannot be read. Default: nobody hears. */
  readonly onFailure?: (() => void) | undefined;
  readonly log: Logger;
}

/** Editors write a file in several steps. */
const SETTLE_MS = 200;
/** As kube-apiserver: some file systems tell of no changes. */
const POLL_MS = 60_000;

/** Begins with the `text` that was read at the start. */
export class FollowedFile {
  readonly #parts: FollowedFileParts;
  readonly #poll: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #text: string;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: FollowedFileParts, text: string) {
    this.#parts = parts;
    this.#text = text;
    this.#follow();
    this.#poll = setInterval(() => this.#changed(), POLL_MS).unref();
  }

  /** Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    clearTimeout(this.#settling);
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

  #changed(): void {
    // Not put off by every change: in a busy folder the file would never be read.
    if (this.#isClosed || this.#settling !== undefined) return;
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      this.#work = this.#reload(this.#work);
    }, SETTLE_MS).unref();
  }

  /** One after the other: an older file must not win. */
  async #reload(before: Promise<void>): Promise<void> {
    await before;
    const { path, option, use, onFailure, log } = this.#parts;
    try {
      const text = readFileSync(path, 'utf8');
      if (this.#isClosed || text === this.#text) return;
      this.#text = text;
      await use(text);
    } catch (error) {
      if (this.#isClosed) return;
      onFailure?.();
      const problem = error instanceof Error ? error.message : String(error);
      log.error({ path, problem }, `the changed --${option} is not used`);
    }
  }
}
