/** Asks again, while a watch is open, whether its user still may have it. */

import type { CancelTimer, Clock } from '@listwatch/api';
import { type HeldRequests, type OpenRequest, OpenRequests } from '@listwatch/server/read';

/** The upstream may decide by its own, later view of the roles for a moment: it is asked once more after this. */
const SETTLED_MS = 500;
/** Without any signal. */
const EVERY_MS = 300_000;
const EVERYBODY = ['everybody'] as const;

/** Options of {@link WatchRights}. */
export interface WatchRightsOptions {
  readonly clock: Clock;
  /** Forgets the decisions that are kept: rights have changed. */
  readonly drop: () => void;
  /** The same, to be sure. */
  readonly refresh: () => void;
}

/** The open watches of a relay. Those that are refused end; kube-apiserver lets them run. */
export class WatchRights implements HeldRequests {
  readonly #options: WatchRightsOptions;
  readonly #open: OpenRequests;
  /** How often rights have changed. */
  changes: number = 0;
  #cancelSettled: CancelTimer | undefined;
  #cancelEvery: CancelTimer;

  constructor(options: WatchRightsOptions) {
    this.#options = options;
    this.#open = new OpenRequests(options.clock);
    this.#cancelEvery = this.#again();
  }

  get losses(): number {
    return this.#open.losses;
  }

  get state(): { readonly checks: number; readonly ended: number; readonly waiting: number } {
    const { counts, waiting } = this.#open;
    return { ...counts, waiting };
  }

  /** Equal questions of many watches are asked once: the reviewer shares its answers. */
  hold(request: OpenRequest, since: number): () => void {
    return this.#open.hold({ ...request, keys: EVERYBODY }, since);
  }

  /** Rights have changed somewhere. */
  readonly changed = (): void => {
    this.changes += 1;
    this.#askAll();
    this.#cancelSettled ??= this.#options.clock.after(SETTLED_MS, () => {
      this.#cancelSettled = undefined;
      this.#askAll();
    });
  };

  /** The upstream can be asked again: what stood in for its answers ends. */
  returned(): void {
    this.#options.refresh();
    this.#open.lost('credential', EVERYBODY);
  }

  close(): void {
    this.#cancelEvery();
    this.#cancelSettled?.();
    this.#open.close();
  }

  #askAll(): void {
    this.#options.drop();
    this.#open.lost('rights', EVERYBODY);
  }

  #again(): CancelTimer {
    return this.#options.clock.after(EVERY_MS, () => {
      this.returned();
      this.#cancelEvery = this.#again();
    });
  }
}
