/** Watches the kinds that some quota counts, and tells which namespace uses something else than before. */

import type { ApiObject } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { type CountedObject, type UsageRule } from '@listwatch/rules/usage';
import { type Informer, informer, type Logger } from '@listwatch/runtime';
import type { CountedApiObject, QuotaKind } from './counted-kinds.ts';

/** What is kept of an object: enough to see that it uses something else. */
interface SlimObject extends ApiObject {
  readonly usage?: string;
}

/** Told of a kind and a namespace. */
export type UsageListener = (kind: QuotaKind, namespace: string) => void;

/** As kube-controller-manager: a kind that cannot be listed does not stop the others. */
const SYNC_TIMEOUT_MS = 30_000;

const SCOPES = ['Terminating', 'BestEffort', 'PriorityClass', 'CrossNamespacePodAffinity', 'VolumeAttributesClass'];

/** One informer for each kind. */
export class QuotaMonitors {
  readonly #cluster: Cluster;
  readonly #logger: Logger;
  readonly #listener: UsageListener;
  readonly #informers = new Map<string, Informer<CountedApiObject>>();
  readonly #closing = new Set<Promise<void>>();

  constructor(cluster: Cluster, logger: Logger, listener: UsageListener) {
    this.#cluster = cluster;
    this.#logger = logger;
    this.#listener = listener;
  }

  /** The names of the kinds that are watched. */
  get names(): readonly string[] {
    return [...this.#informers.keys()];
  }

  /** Watches these kinds and no others. */
  follow(kinds: readonly QuotaKind[]): void {
    const wanted = new Map(kinds.map((kind) => [kind.name, kind]));
    for (const name of this.#informers.keys()) if (!wanted.has(name)) this.#drop(name);
    for (const kind of wanted.values()) this.#watch(kind);
  }

  /** Resolves when every kind has been listed once: changes are heard from then on. A kind that cannot be listed is not waited for. */
  async ready(): Promise<void> {
    await Promise.all([...this.#informers.values()].map(({ synced }) => synced.catch(() => undefined)));
  }

  async close(): Promise<void> {
    for (const name of this.names) this.#drop(name);
    await Promise.all(this.#closing);
  }

  #watch(kind: QuotaKind): void {
    if (this.#informers.has(kind.name)) return;
    const { resource, rule, name } = kind;
    const source = informer<CountedApiObject>(this.#cluster, resource, {
      transform: (object) => slim(rule, object),
      freeze: false,
      syncTimeoutMs: SYNC_TIMEOUT_MS,
      onWarning: ({ type, message, error }) => this.#logger.warn({ resource: name, type, error }, message),
    });
    source.synced.catch(() => undefined);
    const tell = ({ metadata }: ApiObject): void => this.#listener(kind, metadata.namespace ?? '');
    source.on({
      // What was there at the start has been counted.
      add: ({ object, initial }) => (initial ? undefined : tell(object)),
      update: ({ object, old }) => (usageOf(object) === usageOf(old) ? undefined : tell(object)),
      delete: ({ object }) => tell(object),
    });
    this.#informers.set(name, source);
  }

  #drop(name: string): void {
    const source = this.#informers.get(name);
    this.#informers.delete(name);
    if (source === undefined) return;
    const closed = source.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

function usageOf(object: SlimObject): string | undefined {
  return object.usage;
}

function slim(rule: UsageRule, object: CountedApiObject): CountedApiObject {
  const { name, namespace = '', uid = '', resourceVersion = '' } = object.metadata;
  return { metadata: { name, namespace, uid, resourceVersion }, usage: usageText(rule, object) };
}

function usageText(rule: UsageRule, object: CountedObject): string {
  const amounts = [...rule.usage(object)].map(([name, amount]) => `${name}=${String(amount)}`);
  const isIn = (scope: string): boolean => rule.isInScope?.(object, { scope, operator: 'Exists', values: [] }) ?? false;
  return [...amounts, ...SCOPES.map(isIn)].join(' ');
}
