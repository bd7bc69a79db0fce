/** Waits until one object is as it should be. */

import {
  type AbortOptions,
  type ApiObject,
  fieldSelector,
  groupResourceText,
  isForbidden,
  isMethodNotAllowed,
  isNotFound,
  isUnauthorized,
  NAME_FIELD,
  type Resource,
} from '@listwatch/api';
import type { Cluster, ObjectTarget } from '@listwatch/client';
import { checkOptionNames, linkSignal, type OptionNames } from '@listwatch/client/internal';
import { explain } from '../explained-test.ts';
import type { WatchedCluster } from '../watched-cluster.ts';
import { watcher } from '../watcher/watcher.ts';
import type { WatcherError } from '../watcher-error.ts';
import type { WaitCondition } from './wait-condition.ts';
import { WaitError, type WaitErrorCode } from './wait-error.ts';
import { lastKnown, momentsOf, nextState, type WatchedObject } from './watched-object.ts';

/** What it asks of a cluster. */
export type WaitCluster = Pick<Cluster, 'namespace'> & WatchedCluster;

/** Which object. With a uid only that one, and not another of the same name. */
export interface WaitTarget extends ObjectTarget {
  readonly uid?: string | undefined;
}

/** Options of {@link waitFor}. */
export interface WaitOptions extends AbortOptions {
  /** Default: 30 000 (kubectl). 0: no limit. */
  readonly timeoutMs?: number | undefined;
}

const OPTION_NAMES: OptionNames<WaitOptions> = { signal: true, timeoutMs: true };
const TIMEOUT_MS = 30_000;
const TIMED_OUT = Symbol('timed out');

/**
 * Watches one object until a condition holds. Resolves with the object as it was then; undefined when the condition is about
 * its absence. The watch survives cut connections, expired history and restarts of the server. If another object takes the
 * name, the condition is first asked about the absence between the two.
 *
 * Rejects with a `WaitError`: `WAIT_TIMEOUT`, `WAIT_REFUSED` when the object may not be watched or its resource is not served, and
 * `OBJECT_GONE` when the target has a uid and that object is gone. Its message says what was seen last and why it does not do.
 *
 * @example
 * await waitFor(cluster, deployments, { name: 'web' }, conditionIs('Available'), { timeoutMs: 60_000 });
 * await waitFor(cluster, pods, pod, deleted);
 */
export async function waitFor<T extends ApiObject>(
  cluster: WaitCluster,
  resource: Resource<T>,
  target: NoInfer<T> | WaitTarget,
  condition: WaitCondition<NoInfer<T>>,
  options: WaitOptions = {},
): Promise<T | undefined> {
  checkOptionNames('waitFor', options, OPTION_NAMES);
  const { signal, timeoutMs = TIMEOUT_MS } = options;
  if (!(timeoutMs >= 0)) throw new RangeError(`timeoutMs must be 0 or more milliseconds, not ${timeoutMs}`);
  if (typeof condition !== 'function') throw new TypeError('the condition of waitFor must be a function');
  const wait = new ObjectWait(cluster, resource, 'metadata' in target ? target.metadata : target, condition);
  const stop = linkSignal(signal);
  const cancel = timeoutMs === 0 ? undefined : cluster.clock.after(timeoutMs, () => stop.abort(TIMED_OUT));
  try {
    return await wait.run(stop.signal);
  } catch (error) {
    if (error !== TIMED_OUT) throw error;
    throw wait.failure('WAIT_TIMEOUT', `after ${timeoutMs} ms`);
  } finally {
    cancel?.();
    stop.unlink();
  }
}

class ObjectWait<T extends ApiObject> {
  readonly #cluster: WaitCluster;
  readonly #resource: Resource<T>;
  readonly #target: WaitTarget;
  readonly #condition: WaitCondition<T>;
  #state: WatchedObject<T> = { type: 'unknown' };
  #lastError: WatcherError | undefined;

  constructor(cluster: WaitCluster, resource: Resource<T>, target: WaitTarget, condition: WaitCondition<T>) {
    if (typeof target.name !== 'string' || target.name === '')
      throw new TypeError('the target of waitFor needs a name');
    const namespace = resource.namespaced ? (target.namespace ?? cluster.namespace) : undefined;
    this.#cluster = cluster;
    this.#resource = resource;
    this.#target = { name: target.name, namespace, uid: target.uid };
    this.#condition = condition;
  }

  async run(signal: AbortSignal): Promise<T | undefined> {
    const { name, namespace } = this.#target;
    const events = watcher(this.#cluster, this.#resource, {
      namespace,
      fieldSelector: fieldSelector({ [NAME_FIELD]: name }),
      // A cached state may be older than what the caller has just written.
      listSemantic: 'mostRecent',
      initialStrategy: 'listWatch',
      signal,
    });
    for await (const event of events) {
      if (event.type === 'error') this.#failed(event.error);
      const before = lastKnown(this.#state)?.object;
      this.#state = nextState(this.#state, event);
      if (this.#state.type !== 'known' || event.type === 'error') continue;
      this.#lastError = undefined;
      for (const object of momentsOf(before, this.#wanted(this.#state.object))) {
        if (this.#condition(object)) return object;
      }
      this.#requireWanted(this.#state.object);
    }
    throw signal.reason;
  }

  failure(code: WaitErrorCode, when: string, cause: unknown = this.#lastError): WaitError {
    const known = lastKnown(this.#state);
    const object = known?.object;
    const { name, namespace } = this.#target;
    const what = `${groupResourceText(this.#resource)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const why = known === undefined ? 'its state is unknown' : explain(this.#condition, this.#wanted(object));
    const trouble = cause instanceof Error ? `; last failure: ${cause.message}` : '';
    return new WaitError(code, `waiting for ${what} failed ${when}: ${why}${trouble}`, { object, cause });
  }

  /** The object, unless it is another one than the caller means. */
  #wanted(object: T | undefined): T | undefined {
    const { uid } = this.#target;
    return uid === undefined || object?.metadata.uid === uid ? object : undefined;
  }

  /** An object with a given uid never comes back. */
  #requireWanted(object: T | undefined): void {
    const { uid } = this.#target;
    if (uid === undefined || this.#wanted(object) !== undefined) return;
    const other = object === undefined ? '' : `, and another one (uid ${object.metadata.uid}) has its name`;
    throw this.failure('OBJECT_GONE', `because the object with uid ${uid} is gone${other}`);
  }

  #failed(error: WatcherError): void {
    this.#lastError = error;
    const { cause } = error;
    // These may be passing troubles of a server that has worked before.
    const isUnknown = lastKnown(this.#state) === undefined && (isUnauthorized(cause) || isNotFound(cause));
    if (isUnknown || isForbidden(cause) || isMethodNotAllowed(cause)) {
      throw this.failure('WAIT_REFUSED', 'because it cannot be watched');
    }
  }
}
