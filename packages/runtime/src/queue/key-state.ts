/** What a key of the work queue can be, and what happens to it: one table, without time or order. */

/**
 * - `idle`: neither waiting nor in work. The queue remembers nothing of it.
 * - `dirty`: waiting for a worker.
 * - `processing`: a worker has it.
 * - `both`: a worker has it, and it was added again meanwhile: it runs once more afterwards.
 */
export type KeyState = 'both' | 'dirty' | 'idle' | 'processing';

/** What the queue is told of a key. `begin`: its worker reads the state only now, so that this run covers the adds until now. */
export type KeyInput = 'add' | 'begin' | 'done' | 'take';

/** The next state; `enqueue`: the key goes to the end of the line now. */
export interface KeyStep {
  readonly state: KeyState;
  readonly enqueue: boolean;
}

/** Cells that mean a mistake of the caller: only a waiting key can be taken, only a taken one can begin or be done. */
export const MISUSE = 'misuse';

const stay = (state: KeyState): KeyStep => ({ state, enqueue: false });
const enqueue: KeyStep = { state: 'dirty', enqueue: true };

/** Total: the compiler demands every cell. */
export const KEY_TABLE: Readonly<Record<KeyState, Readonly<Record<KeyInput, KeyStep | typeof MISUSE>>>> = {
  idle: { add: enqueue, take: MISUSE, begin: MISUSE, done: MISUSE },
  dirty: { add: stay('dirty'), take: stay('processing'), begin: MISUSE, done: MISUSE },
  processing: { add: stay('both'), take: MISUSE, begin: stay('processing'), done: stay('idle') },
  both: { add: stay('both'), take: MISUSE, begin: stay('processing'), done: enqueue },
};
