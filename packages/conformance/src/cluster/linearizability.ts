/**
 * Is a history of concurrent operations linearizable? The algorithm of Wing and Gong with the cache of Lowe, as Porcupine has it:
 * it looks for an order of the operations that agrees with their times and with a sequential model.
 */

/** One operation. Times are of one clock that never goes back. */
export interface Operation<Input, Output> {
  readonly input: Input;
  /** Undefined: no answer came. It may have taken effect at any time after its call, or never. */
  readonly output: Output | undefined;
  readonly calledAt: number;
  /** Infinity when no answer came. */
  readonly returnedAt: number;
}

/** The object as it would be if operations came one by one. */
export interface SequentialModel<State, Input, Output> {
  readonly initial: State;
  /** The next state; undefined when the output is impossible in this state. An output that did not come agrees with every state. */
  readonly step: (state: State, input: Input, output: Output | undefined) => { readonly state: State } | undefined;
  /** Equal texts are equal states. */
  readonly keyOf: (state: State) => string;
}

/** `undecided`: it would take more than the allowed steps. */
export type HistoryVerdict = 'linearizable' | 'not linearizable' | 'undecided';

const MAX_STEPS = 2_000_000;

/** A call or a return, in a list that calls can be taken out of and put back into. */
interface Entry<Input, Output> extends Place<Input, Output> {
  readonly operation: Operation<Input, Output>;
  readonly id: number;
  /** Of a call: its return. */
  readonly end: Entry<Input, Output> | undefined;
  previous: Place<Input, Output> | undefined;
}

/** The head of the list, or an entry. */
interface Place<Input, Output> {
  next: Entry<Input, Output> | undefined;
}

/** Checks the operations on one object. */
export function checkLinearizable<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
  maxSteps: number = MAX_STEPS,
): HistoryVerdict {
  const head = entriesOf(operations);
  const tried = new Set<string>();
  const taken: { readonly call: Entry<Input, Output>; readonly state: State }[] = [];
  let state = model.initial;
  let linearized = 0n;
  let entry = head.next;
  for (let steps = 0; entry !== undefined; steps += 1) {
    if (steps > maxSteps) return 'undecided';
    const { end, id, operation } = entry;
    if (end === undefined) {
      // Only operations without an answer are left: none of them needs to have happened.
      if (operation.returnedAt === Number.POSITIVE_INFINITY) return 'linearizable';
      const last = taken.pop();
      if (last === undefined) return 'not linearizable';
      state = last.state;
      linearized &= ~(1n << BigInt(last.call.id));
      putBack(last.call);
      entry = last.call.next;
      continue;
    }
    const stepped = model.step(state, operation.input, operation.output);
    const next = linearized | (1n << BigInt(id));
    if (stepped === undefined || !isNew(tried, `${next.toString(36)}|${model.keyOf(stepped.state)}`)) {
      entry = entry.next;
      continue;
    }
    taken.push({ call: entry, state });
    state = stepped.state;
    linearized = next;
    takeOut(entry);
    entry = head.next;
  }
  return 'linearizable';
}

function isNew(tried: Set<string>, key: string): boolean {
  if (tried.has(key)) return false;
  tried.add(key);
  return true;
}

/** The head of the list of calls and returns by time; a return comes before a call of the same instant. */
function entriesOf<Input, Output>(operations: readonly Operation<Input, Output>[]): Place<Input, Output> {
  const entries = operations.flatMap((operation, id) => {
    const end: Entry<Input, Output> = { operation, id, end: undefined, previous: undefined, next: undefined };
    const call: Entry<Input, Output> = { operation, id, end, previous: undefined, next: undefined };
    return [
      { at: operation.calledAt, isCall: 1, entry: call },
      { at: operation.returnedAt, isCall: 0, entry: end },
    ];
  });
  // Infinity minus Infinity is no order.
  entries.sort((a, b) => (a.at === b.at ? a.isCall - b.isCall : a.at < b.at ? -1 : 1));
  const head: Place<Input, Output> = { next: undefined };
  let last = head;
  for (const { entry } of entries) {
    last.next = entry;
    entry.previous = last;
    last = entry;
  }
  return head;
}

function takeOut<Input, Output>(call: Entry<Input, Output>): void {
  for (const entry of [call, call.end]) {
    if (entry?.previous !== undefined) entry.previous.next = entry.next;
    if (entry?.next !== undefined) entry.next.previous = entry.previous;
  }
}

/** In the reverse order of `takeOut`: neighbours may be each other. */
function putBack<Input, Output>(call: Entry<Input, Output>): void {
  for (const entry of [call.end, call]) {
    if (entry?.previous !== undefined) entry.previous.next = entry;
    if (entry?.next !== undefined) entry.next.previous = entry;
  }
}
