/** What ends a watch: a signal, or nobody who reads. */

import { constants } from 'node:os';
import type { EndSignal, Host } from '../host.ts';

/** Why it ended. */
export type EndReason = { readonly type: 'signal'; readonly signal: EndSignal } | { readonly type: 'closed' };

/** Listens from its making until `stop`; its signal is aborted at the end. A second Ctrl-C ends the process at once. */
export class WatchEnd {
  readonly #controller = new AbortController();
  readonly #offs: readonly (() => void)[];
  #reason: EndReason | undefined;

  constructor(host: Host) {
    this.#offs = [
      host.onSignal((signal) => {
        if (this.#reason === undefined) this.#end({ type: 'signal', signal });
        else host.exit(exitCode({ type: 'signal', signal }));
      }),
      // `listwatch watch pods | head -1`: it has what it wants.
      host.stdout.onClosed(() => this.#end({ type: 'closed' })),
    ];
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Undefined as long as it goes on. */
  get reason(): EndReason | undefined {
    return this.#reason;
  }

  stop(): void {
    for (const off of this.#offs) off();
  }

  #end(reason: EndReason): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }
}

/** As a shell has it: 128 and the signal's number. */
export function exitCode(reason: EndReason): number {
  return reason.type === 'closed' ? 0 : 128 + constants.signals[reason.signal];
}
