/** Does what the state of a watcher says, and feeds the result to the state machine. */

import { type ApiObject, type Resource, sleep } from '@listwatch/api';
import { isTransportError } from '@listwatch/client/internal';
import type { WatchedCluster } from '../watched-cluster.ts';
import { backoffMs } from './backoff.ts';
import { readHistory } from './read-history.ts';
import { readList } from './read-list.ts';
import { readWatch } from './read-watch.ts';
import { knownNotToStream, rememberNotToStream } from './streaming-support.ts';
import type { WatcherInput } from './watcher-input.ts';
import type { WatcherMemory } from './watcher-memory.ts';
import type { WatcherConfig } from './watcher-options.ts';
import { namedError, type WatcherExchange } from './watcher-request.ts';
import { startState, step, type WatcherOutput, type WatcherState } from './watcher-state.ts';

/** The receiver of a watcher's outputs. */
export interface WatcherSink<T extends ApiObject> {
  /** Takes an output; a promise holds the watcher, and with it the server, back until it resolves. */
  readonly deliver: (output: WatcherOutput<T>) => Promise<void> | undefined;
  /** Sees each exchange and each pause as it begins, and each page; `retryInMs` is the length of a pause. */
  readonly observe?: ((state: WatcherState, retryInMs?: number) => void) | undefined;
}

/** Runs one watcher. Never resolves; rejects with the signal's reason, `CLIENT_CLOSED`, or what the sink threw. */
export async function runWatcher<T extends ApiObject>(
  cluster: WatchedCluster,
  resource: Resource<T>,
  config: WatcherConfig<T>,
  sink: WatcherSink<T>,
  signal: AbortSignal,
): Promise<never> {
  let state = startState(config, streamingOf(cluster, resource, config), config.start);
  const named = (output: WatcherOutput<T>): WatcherOutput<T> =>
    output.type === 'error'
      ? { type: 'error', error: namedError(cluster, resource, config.selection.namespace, output.error) }
      : output;
  const feed = (input: WatcherInput<T>): Promise<void> | undefined => {
    // A client that was closed stays closed: there is nothing to try again.
    if ('error' in input && isTransportError(input.error.cause, 'CLIENT_CLOSED')) throw input.error.cause;
    const before = state;
    const { state: next, outputs } = step(before, input);
    state = next;
    if (before.memory.streaming === 'first' && next.memory.streaming === 'never')
      rememberNotToStream(cluster, resource);
    if (input.type === 'page') sink.observe?.(next);
    return deliverAll(sink, outputs.some(({ type }) => type === 'error') ? outputs.map(named) : outputs);
  };
  const exchange: WatcherExchange<T> = { cluster, resource, config, signal, feed, state: () => state };
  for (;;) {
    signal.throwIfAborted();
    const doing = state;
    if (doing.type === 'waiting') {
      const delay = backoffMs(config.backoff, doing.memory.failures, config.random(), doing.retryAfterMs);
      sink.observe?.(doing, delay);
      await sleep(cluster.clock, delay, signal);
      await feed({ type: 'elapsed' });
      continue;
    }
    sink.observe?.(doing);
    if (doing.type === 'listing') await readList(exchange, doing);
    else if (doing.type === 'checking') await readHistory(exchange, doing);
    else await readWatch(exchange, doing);
  }
}

/** Waits for the reader only where the reader asks for it: most events then cost no turn of the event loop. */
function deliverAll<T extends ApiObject>(
  sink: WatcherSink<T>,
  outputs: readonly WatcherOutput<T>[],
): Promise<void> | undefined {
  for (const [index, output] of outputs.entries()) {
    const held = sink.deliver(output);
    if (held !== undefined) return held.then(() => deliverAll(sink, outputs.slice(index + 1)));
  }
  return undefined;
}

function streamingOf<T extends ApiObject>(
  cluster: WatchedCluster,
  resource: Resource<T>,
  { initialStrategy }: WatcherConfig<T>,
): WatcherMemory['streaming'] {
  if (initialStrategy === 'streamingList') return 'only';
  return initialStrategy === 'listWatch' || knownNotToStream(cluster, resource) ? 'never' : 'first';
}
