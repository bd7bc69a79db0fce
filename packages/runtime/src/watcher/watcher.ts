/** A watcher streams a collection: first its objects, then every change. After a relist it starts over with the objects. */

import type { ApiObject, ObjectEvent, Resource } from '@listwatch/api';
import { checkOptionNames, linkSignal } from '@listwatch/client/internal';
import { objectKey } from '../store/object-key.ts';
import type { WatchedCluster } from '../watched-cluster.ts';
import type { WatcherEvent } from '../watcher-event.ts';
import { Rendezvous } from './rendezvous.ts';
import { runWatcher } from './watcher-driver.ts';
import {
  resolveWatcherOptions,
  WATCHER_OPTION_NAMES,
  type WatcherConfig,
  type WatcherOptions,
} from './watcher-options.ts';
import { IDLE, observed, told, type WatcherProgress } from './watcher-progress.ts';
import type { WatcherOutput, WatcherState } from './watcher-state.ts';

/** For one reader; `break` closes the watch. What fails is told as an `error` event and tried again after a pause. */
export interface Watcher<T extends ApiObject = ApiObject> extends AsyncIterable<WatcherEvent<T>> {
  /** What it is doing. */
  readonly progress: WatcherProgress;
}

/**
 * Watches a collection. Nothing is asked of the server before the first event is. The reader holds the server back: no
 * more than one event is read ahead. It throws only the signal's reason, or `CLIENT_CLOSED` once the cluster is closed.
 *
 * @example
 * for await (const event of watcher(cluster, pods, { labelSelector: 'app=web', signal })) {
 *   if (event.type === 'apply') console.log(event.object.metadata.name);
 * }
 */
export function watcher<T extends ApiObject>(
  cluster: WatchedCluster,
  resource: Resource<T>,
  options: WatcherOptions<T> = {},
): Watcher<T> {
  checkOptionNames('watcher', options, WATCHER_OPTION_NAMES);
  return new ClusterWatcher(cluster, resource, resolveWatcherOptions(options), options.signal);
}

class ClusterWatcher<T extends ApiObject> implements Watcher<T> {
  readonly #cluster: WatchedCluster;
  readonly #resource: Resource<T>;
  readonly #config: WatcherConfig<T>;
  readonly #signal: AbortSignal | undefined;
  #progress: WatcherProgress;
  #taken = false;

  constructor(cluster: WatchedCluster, resource: Resource<T>, config: WatcherConfig<T>, signal?: AbortSignal) {
    this.#cluster = cluster;
    this.#resource = resource;
    this.#config = config;
    this.#signal = signal;
    this.#progress = { ...IDLE, since: cluster.clock.now() };
  }

  get progress(): WatcherProgress {
    return this.#progress;
  }

  [Symbol.asyncIterator](): AsyncIterator<WatcherEvent<T>, undefined> {
    if (this.#taken) throw new TypeError('a watcher has one reader; make another watcher');
    this.#taken = true;
    const events = new Rendezvous<WatcherEvent<T>>();
    const link = linkSignal(this.#signal);
    let running: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      events.end();
      link.abort();
      await running;
    };
    return {
      next: () => {
        running ??= this.#run(events, link.signal).finally(link.unlink);
        return events.take();
      },
      return: async () => {
        await stop();
        link.unlink();
        return { done: true, value: undefined };
      },
    };
  }

  async #run(events: Rendezvous<WatcherEvent<T>>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#cluster;
    const sink = {
      deliver: (output: WatcherOutput<T>) => {
        if (output.type === 'initBatch') return this.#putAll(events, output.objects.map(initApply));
        if (output.type === 'changes') return this.#putAll(events, output.events.map(changeEvent));
        this.#progress = told(this.#progress, output, clock.now());
        return output.type === 'bookmark' || output.type === 'steady' ? undefined : events.put(output);
      },
      observe: (state: WatcherState, retryInMs?: number) => {
        this.#progress = observed(this.#progress, state, clock.now(), retryInMs);
      },
    };
    try {
      await runWatcher(this.#cluster, this.#resource, this.#config, sink, signal);
    } catch (reason) {
      events.end({ reason });
    }
  }

  async #putAll(events: Rendezvous<WatcherEvent<T>>, together: readonly WatcherEvent<T>[]): Promise<void> {
    for (const event of together) {
      this.#progress = told(this.#progress, event, this.#cluster.clock.now());
      await events.put(event);
    }
  }
}

function initApply<T extends ApiObject>(object: T): WatcherEvent<T> {
  return { type: 'initApply', object };
}

function changeEvent<T extends ApiObject>({ type, object }: ObjectEvent<T>): WatcherEvent<T> {
  if (type !== 'DELETED') return { type: 'apply', object };
  return { type: 'delete', key: objectKey(object), object, finalStateKnown: true };
}
