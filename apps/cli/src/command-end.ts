/** What ends a command early: a signal, or a reader of its output that has gone. */

import { constants } from 'node:os';
import type { EndSignal, Host } from './host.ts';

/** Why it ended. */
export type EndReason = { readonly type: 'signal'; readonly signal: EndSignal } | { readonly type: 'closed' };

/** Listens until `stop`. Its signal is aborted at the end; a second Ctrl-C ends the process at once. */
export class CommandEnd {
  readonly #controller = new AbortController();
  readonly #offs: readonly (() => void)[];
  #reason: EndReason | undefined;

  constructor(host: Host) {
    this.#offs = [
      host.onSignal((signal) => {
        if (this.#reason === undefined) this.#end({ type: 'signal', signal });
        else host.exit(exitCode({ type: 'signal', signal }));
      }),
      // `listwatch watch pods | head -1`: head has its line and has ended.
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

/** As in a shell, 128 and the number of the signal. Other programs die of SIGPIPE when their reader has gone. */
export function exitCode(reason: EndReason): number {
  return 128 + constants.signals[reason.type === 'closed' ? 'SIGPIPE' : reason.signal];
}
