/** Follows the definitions of the custom kinds that a relay names: each of them is relayed while it is defined, and ends with its definition. */

import { type Clock, sleep } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { apiServices, customResourceDefinitions } from '@listwatch/kinds';
import type { CacheSet } from '@listwatch/server/read';
import type { RelayFeeds } from '../feed/relay-feeds.ts';
import { FollowedObject, type FollowedState } from './followed-object.ts';
import type { KindName } from './kind-name.ts';
import { type CustomPart, type RelayedKind, type RelayedKinds, readParts } from './relayed-kind.ts';
import { type CustomKindState, relayedVersion, unlessAggregated } from './relayed-version.ts';

/** What custom kinds need. */
export interface FollowedKindsOptions {
  readonly cluster: Cluster;
  readonly kinds: RelayedKinds;
  readonly caches: Pick<CacheSet<RelayFeeds>, 'add' | 'feed' | 'kind' | 'remove'>;
  readonly clock: Clock;
  /** Default: 5000. */
  readonly settleMs?: number | undefined;
}

/** A kind that passes, and why. */
export interface PassingKind {
  readonly kind: string;
  readonly reason: string;
}

/** As long as kube-apiserver gives its peers to hear of a definition: until then one of them may show objects as before. */
const SETTLE_MS = 5000;
/** The last events of a kind that is deleted come by another line than the end of its definition. */
const LAST_EVENTS_MS = 1000;

export class FollowedKinds {
  readonly #kinds: readonly FollowedKind[];

  constructor(options: FollowedKindsOptions) {
    this.#kinds = options.kinds.customNames.map((name) => new FollowedKind(name, options));
  }

  /** Those that are not relayed now. */
  get passing(): readonly PassingKind[] {
    return this.#kinds.flatMap(({ passing }) => passing ?? []);
  }

  /** Resolves when it is known of each kind whether it can be relayed, or cannot be found out now. */
  async start(): Promise<void> {
    for (const kind of this.#kinds) kind.start();
    await Promise.all(this.#kinds.map(({ tried }) => tried));
  }

  stop(): void {
    for (const kind of this.#kinds) kind.stop();
  }
}

/** One of them, defined or not. */
class FollowedKind {
  readonly #name: KindName;
  readonly #options: FollowedKindsOptions;
  readonly #stop = new AbortController();
  readonly #definition: FollowedObject;
  #service: { readonly version: string; readonly followed: FollowedObject } | undefined;
  #shown: RelayedKind | undefined;
  #state: CustomKindState = { type: 'passes', reason: 'its CustomResourceDefinition has not been read yet' };
  /** The last version that clients have seen of it by a definition before. */
  #last: bigint | undefined;
  #wasShown = false;
  #tried: () => void = () => {};
  readonly tried: Promise<void>;

  constructor(name: KindName, options: FollowedKindsOptions) {
    this.#name = name;
    this.#options = options;
    this.#definition = this.#follow(customResourceDefinitions, `${name.plural}.${name.group}`);
    this.tried = new Promise((resolve) => {
      this.#tried = resolve;
    });
  }

  get passing(): PassingKind | undefined {
    if (this.#shown !== undefined) return undefined;
    const reason = this.#state.type === 'passes' ? this.#state.reason : 'its CustomResourceDefinition is changing';
    return { kind: this.#name.text, reason };
  }

  start(): void {
    this.#definition.start();
  }

  stop(): void {
    this.#stop.abort();
    this.#definition.stop();
    this.#service?.followed.stop();
    this.#tried();
  }

  /** What is followed has changed, or has been read for the first time. */
  readonly #changed = (): void => {
    if (this.#stop.signal.aborted) return;
    const state = this.#judge(this.#definition.state, (version) => this.#serviceOf(version));
    this.#state = state;
    if (state.type === 'served') {
      if (this.#shown?.custom?.schema === state.schema) return;
      this.#end(0);
      this.#begin(state);
    } else this.#end(this.#definition.state.type === 'absent' ? LAST_EVENTS_MS : 0);
    if (state.type === 'served' || this.#service === undefined || this.#service.followed.state.type !== 'unknown')
      this.#tried();
  };

  #judge(definition: FollowedState, serviceOf: (version: string) => FollowedState): CustomKindState {
    const state = relayedVersion(this.#name, definition);
    return state.type === 'served' ? unlessAggregated(state, serviceOf(state.resource.version)) : state;
  }

  #serviceOf(version: string): FollowedState {
    if (this.#service?.version !== version) {
      this.#service?.followed.stop();
      const followed = this.#follow(apiServices, `${version}.${this.#name.group}`);
      this.#service = { version, followed };
      void followed.tried.then(this.#tried);
      followed.start();
    }
    return this.#service.followed.state;
  }

  #follow(resource: FollowedResource, name: string): FollowedObject {
    return new FollowedObject({ cluster: this.#options.cluster, resource, name, onChange: () => this.#changed() });
  }

  #begin({ kind, resource, schema }: CustomKindState & { readonly type: 'served' }): void {
    const { kinds, caches, clock, settleMs = SETTLE_MS } = this.#options;
    const settled = this.#wasShown ? sleep(clock, settleMs, this.#stop.signal).catch(() => {}) : undefined;
    const custom: CustomPart = { schema, settled, after: () => this.#last, verify: () => this.#verify(shown) };
    const shown: RelayedKind = { ...readParts(kind, resource), expires: false, custom };
    this.#shown = shown;
    this.#wasShown = true;
    kinds.add(shown);
    caches.add([shown.definition]);
  }

  /** Its watches end after so long; whoever comes meanwhile is passed on. */
  #end(ms: number): void {
    const shown = this.#shown;
    if (shown === undefined) return;
    const { kinds, caches, clock } = this.#options;
    this.#shown = undefined;
    const remove = (): void => {
      this.#last = caches.kind(shown.definition).cache.generation?.revision ?? this.#last;
      kinds.remove(shown);
      caches.remove([shown.definition]);
    };
    if (ms === 0) return remove();
    kinds.hide(shown);
    clock.after(ms, remove);
  }

  /** The line of the definition may be late: what comes over another one is not shown before this has been asked. */
  async #verify(kind: RelayedKind): Promise<void> {
    const { version } = kind.resource;
    const [definition, service] = await Promise.all([this.#definition.read(), this.#service?.followed.read()]);
    const state = this.#judge(definition, (other) => (other === version && service) || ABSENT);
    if (this.#shown !== kind) throw new Error(`${kind.name}: its definition has changed`);
    if (state.type === 'served' && state.schema === kind.custom?.schema) return;
    // What it is now comes by its own line.
    this.#state = { type: 'passes', reason: 'its CustomResourceDefinition is changing' };
    this.#end(definition.type === 'absent' ? LAST_EVENTS_MS : 0);
    throw new Error(`${kind.name}: its definition has changed`);
  }
}

type FollowedResource = ConstructorParameters<typeof FollowedObject>[0]['resource'];

const ABSENT: FollowedState = { type: 'absent' };
