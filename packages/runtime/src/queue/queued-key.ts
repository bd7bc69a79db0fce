/** A key in a work queue. */

import type { KeyState } from './key-state.ts';

/** All that the queue knows of a key, so that an operation costs one look-up at most. */
export class QueuedKey<K> {
  readonly key: K;
  state: KeyState = 'idle';
  priority = 0;
  /** Its place in the order in which keys were put in line. */
  ticket: number = -1;
  /** When it was put in line; once it is in work: when it was taken. */
  sinceMs = 0;
  /** The priority with which it was added again while in work. */
  nextPriority: number = -Infinity;

  constructor(key: K) {
    this.key = key;
  }

  get isInWork(): boolean {
    return this.state === 'processing' || this.state === 'both';
  }
}
