/** The requests of the controllers of a test server, with how they were answered. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord, textOf } from '@listwatch/api/values';

/** A request that was refused: `create /api/v1/namespaces/n/serviceaccounts`. */
export type RefusedRequest = string;

/** Notes what servers refuse to controllers, until it is disposed of. */
export class RefusedRequests implements Disposable {
  readonly all: Set<RefusedRequest> = new Set();
  readonly #note = (message: unknown): void => {
    if (!isRecord(message) || message['status'] !== 403) return;
    this.all.add(`${textOf(message['method'])} ${textOf(message['path']).split('?', 1)[0]}`);
  };

  constructor() {
    subscribe('listwatch:controllers:response', this.#note);
  }

  [Symbol.dispose](): void {
    unsubscribe('listwatch:controllers:response', this.#note);
  }
}
