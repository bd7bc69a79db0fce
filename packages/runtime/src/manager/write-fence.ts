/** Ends all writes of a process at one moment: when it has lost its lease, another one may write. */

import { onAbort } from '@listwatch/api/internal';
import type { Transport, TransportDecorator, TransportRequest, TransportResponse } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import { LeaderElectionError } from '../leader/leader-election.ts';

/** Put `decorate` around a transport. Reads pass for ever; writes pass until `close`. */
export class WriteFence {
  readonly #closed = new AbortController();
  readonly #mayWrite: () => boolean;

  /** `mayWrite` is asked before each write: a process that was stopped may send one before anything calls `close`. */
  constructor(mayWrite: () => boolean) {
    this.#mayWrite = mayWrite;
  }

  readonly decorate: TransportDecorator = (next) => {
    const close = (): Promise<void> => next.close();
    return { name: next.name, send: (request) => this.#send(next, request), close, [Symbol.asyncDispose]: close };
  };

  /** Refuses every further write with `reason`, and ends those without an answer. Safe to call twice. */
  close(reason: Error): void {
    this.#closed.abort(reason);
  }

  async #send(next: Transport, request: TransportRequest): Promise<TransportResponse> {
    if (request.method === 'GET') return next.send(request);
    const { signal: closed } = this.#closed;
    const mayWrite = this.#mayWrite();
    closed.throwIfAborted();
    if (!mayWrite) throw new LeaderElectionError('the lease is held no more: this write was not sent');
    const link = linkSignal(request.signal);
    const off = onAbort(closed, () => link.abort(closed.reason));
    try {
      return await next.send({ ...request, signal: link.signal });
    } finally {
      off();
      link.unlink();
    }
  }
}
