/** The kinds that quotas can count, with the rule of each. */

import { type ApiObject, groupResourceText, type Resource, resource } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { type Cluster, discover } from '@listwatch/client';
import { type CountedObject, type UsageRule, usageRules } from '@listwatch/rules/usage';

/** A kind of objects that use something of a quota. */
export interface QuotaKind {
  readonly name: string;
  readonly resource: Resource<CountedApiObject>;
  readonly rule: UsageRule;
}

/** An object as the API gives it and as the rules read it. */
export type CountedApiObject = ApiObject & CountedObject;

/** A quota may name a kind that is defined later: discovery is not read again sooner than this (kube-controller-manager). */
export const DISCOVERY_MS = 30_000;

const VERBS = ['create', 'delete', 'list', 'watch'];
const deviceClasses: Resource<CountedApiObject> = resource({
  group: 'resource.k8s.io',
  version: 'v1',
  plural: 'deviceclasses',
  kind: 'DeviceClass',
  namespaced: false,
});

/** What discovery shows, read again when it is old. */
export class CountedKinds {
  readonly #cluster: Cluster;
  readonly #ruleOf: ReturnType<typeof usageRules>;
  /** Of the namespace that is being counted: claims that were made for a Pod are paid by it. */
  readonly #pods = new Map<string, CountedApiObject>();
  #classes: readonly CountedApiObject[] = [];
  #kinds: readonly QuotaKind[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    const pod = (namespace: string, name: string): CountedObject | undefined => this.#pods.get(`${namespace}/${name}`);
    this.#ruleOf = usageRules({ classes: { list: () => this.#classes }, pod }, cluster.clock);
  }

  /** The kinds. One that cannot be discovered is left out until the next time. */
  async read(signal: AbortSignal): Promise<readonly QuotaKind[]> {
    const now = monotonicMs(this.#cluster.clock);
    if (now - this.#readAt < DISCOVERY_MS) return this.#kinds;
    const { resources } = await discover(this.#cluster, { signal });
    const counted = resources.filter(
      ({ namespaced, isPreferred, verbs }) => namespaced && isPreferred && VERBS.every((verb) => verbs.includes(verb)),
    );
    const hasClasses = resources.some((served) => groupResourceText(served) === groupResourceText(deviceClasses));
    this.#classes = hasClasses ? (await this.#cluster.list(deviceClasses, { signal })).items : [];
    this.#kinds = counted.flatMap(({ group, version, plural, kind, namespaced }) => {
      const found = resource<CountedApiObject>({ group, version, plural, kind, namespaced });
      const rule = this.#ruleOf(found);
      return rule === undefined ? [] : [{ name: groupResourceText(found), resource: found, rule }];
    });
    this.#readAt = now;
    return this.#kinds;
  }

  /** Tells the rule of claims which Pods there are. */
  setPods(pods: readonly CountedApiObject[]): void {
    this.#pods.clear();
    for (const pod of pods) this.#pods.set(`${pod.metadata.namespace ?? ''}/${pod.metadata.name}`, pod);
  }
}
