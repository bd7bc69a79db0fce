/** Follows one object of the upstream by its name. */

import { type ApiObject, isStatusError, type Resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { resolveWatcherOptions, runWatcher, type WatcherOutput } from '@listwatch/runtime/internal';

/** What is known of an object. While the upstream is away it stays as it was. */
export type FollowedState<T extends ApiObject = ApiObject> =
  | { readonly type: 'unknown'; readonly error: string }
  | { readonly type: 'absent' }
  | { readonly type: 'present'; readonly object: T };

export interface FollowedObjectOptions<T extends ApiObject = ApiObject> {
  readonly cluster: Cluster;
  readonly resource: Resource<T>;
  readonly name: string;
  readonly onChange: () => void;
}

export class FollowedObject<T extends ApiObject = ApiObject> {
  readonly #options: FollowedObjectOptions<T>;
  readonly #stop = new AbortController();
  #state: FollowedState<T> = { type: 'unknown', error: 'it has not been read yet' };
  /** What the list under way has. */
  #listed: T | undefined;
  #tried: () => void = () => {};
  /** Resolves when it is known, or could not be read at the first attempt. */
  readonly tried: Promise<void>;

  constructor(options: FollowedObjectOptions<T>) {
    this.#options = options;
    this.tried = new Promise((resolve) => {
      this.#tried = resolve;
    });
  }

  get state(): FollowedState<T> {
    return this.#state;
  }

  start(): void {
    const { cluster, resource, name } = this.#options;
    const config = resolveWatcherOptions<T>({ fieldSelector: `metadata.name=${name}`, listSemantic: 'mostRecent' });
    const deliver = (output: WatcherOutput<T>): undefined => this.#deliver(output);
    // It ends with its signal, or with the client.
    void runWatcher(cluster, resource, config, { deliver }, this.#stop.signal).catch(() => {});
  }

  stop(): void {
    this.#stop.abort();
    this.#tried();
  }

  /** As the upstream has it now. Rejects when it cannot be asked. */
  async read(): Promise<FollowedState<T>> {
    const { cluster, resource, name } = this.#options;
    try {
      return { type: 'present', object: await cluster.get(resource, { name }) };
    } catch (error) {
      if (isStatusError(error) && error.httpCode === 404) return { type: 'absent' };
      throw error;
    }
  }

  #deliver(output: WatcherOutput<T>): undefined {
    switch (output.type) {
      case 'init':
        this.#listed = undefined;
        return;
      case 'initBatch':
        this.#listed = output.objects.at(-1) ?? this.#listed;
        return;
      case 'initApply':
        this.#listed = output.object;
        return;
      case 'initDone':
        return this.#become(this.#listed);
      case 'changes': {
        const event = output.events.at(-1);
        return event && this.#become(event.type === 'DELETED' ? undefined : event.object);
      }
      case 'delete':
        this.#listed = undefined;
        return;
      case 'error':
        return this.#failed(output.error);
      case 'bookmark':
      case 'steady':
        return;
    }
  }

  #become(object: T | undefined): undefined {
    if (this.#stop.signal.aborted) return;
    this.#state = object === undefined ? { type: 'absent' } : { type: 'present', object };
    this.#tried();
    this.#options.onChange();
  }

  #failed(error: Error): undefined {
    const { cause } = error;
    // The upstream does not have such objects.
    if (this.#state.type === 'unknown' && isStatusError(cause) && cause.httpCode === 404)
      return this.#become(undefined);
    if (this.#state.type !== 'unknown') return;
    this.#state = { type: 'unknown', error: error.message };
    this.#tried();
    this.#options.onChange();
  }
}
