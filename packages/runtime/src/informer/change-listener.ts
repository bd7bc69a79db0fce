/** The receiving end of an informer's changes: a set of handlers, or a stream. */

import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '../reflector/store-change.ts';

export interface ChangeListener<T extends ApiObject> {
  /** Queues changes that the store already has. Must neither throw nor run handlers. */
  push(changes: readonly StoreChange<T>[]): void;
  /** The informer has its first complete state. */
  markSynced(): void;
  resync(): void;
  /** No more changes; resolves when no handler runs any more. */
  close(): Promise<void>;
}

/** The listeners of an informer. */
export interface ListenerSet<T extends ApiObject> {
  /** The informer is closed: a listener that comes now gets nothing. */
  readonly isClosed: boolean;
  add(listener: ChangeListener<T>): void;
  delete(listener: ChangeListener<T>): void;
}
