/** Finds the webhooks of all configurations whose rules match a request. */

import { type JsonRecord, recordsOf, sameJson } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { RequestHead, RequestObjects } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { ObjectSelectors } from '../dynamic/object-selectors.ts';
import { type EquivalentKinds, matchRules } from '../dynamic/rule-match.ts';
import { type CompiledWebhook, compileWebhook } from './compiled-webhook.ts';

/** A webhook whose rules match, in the version that they have matched in. */
export interface MatchedWebhook {
  readonly hook: CompiledWebhook;
  readonly definition: ResourceDefinition;
}

/** The webhooks that can be asked about a request; none when `objects` are given and no selector of objects takes them. */
export type MatchingWebhooks = (head: RequestHead, objects?: RequestObjects) => readonly MatchedWebhook[];

/** The limits of the cache: kinds, and operations with subresources of each kind. */
const KINDS_MAX = 1000;
const KNOWN_MAX = 100;
const NONE: readonly MatchedWebhook[] = [];
const GROUP = 'admissionregistration.k8s.io';
/** Exempt from webhooks, so that a broken webhook cannot prevent its own repair. */
const EXEMPT: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
]);

/** Caches the matches of each kind of request, so that the number of webhooks does not matter. */
export class WebhookIndex {
  readonly #type: CompiledWebhook['type'];
  readonly #equivalents: EquivalentKinds;
  readonly #configurations = new Map<string, readonly CompiledWebhook[]>();
  /** By the definition itself: another one of a custom kind may have other versions. */
  readonly #known = new Map<ResourceDefinition, Map<string, readonly MatchedWebhook[]>>();
  /** By the list that `matching` gives, then by the object of a namespace, which is another one after each change. */
  readonly #within = new WeakMap<readonly MatchedWebhook[], WeakMap<KubeObject, readonly MatchedWebhook[]>>();
  readonly #selectors = new WeakMap<readonly MatchedWebhook[], ObjectSelectors>();
  #hooks: readonly CompiledWebhook[] | undefined = [];

  constructor(type: CompiledWebhook['type'], equivalents: EquivalentKinds) {
    this.#type = type;
    this.#equivalents = equivalents;
  }

  /** All webhooks: configurations by their names, the webhooks of one in the order of its list. */
  get hooks(): readonly CompiledWebhook[] {
    this.#hooks ??= [...this.#configurations]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, hooks]) => hooks)
      // A copy shares what was compiled.
      .map((hook, index) => (hook.index === index ? hook : { ...hook, index }));
    return this.#hooks;
  }

  set(configuration: string, object: JsonRecord): void {
    const before = this.#configurations.get(configuration) ?? [];
    const hooks = recordsOf(object['webhooks']).map((hook, index) =>
      this.#compiled(before, configuration, hook, index),
    );
    this.#configurations.set(configuration, hooks);
    this.#changed();
  }

  remove(configuration: string): void {
    this.#configurations.delete(configuration);
    this.#changed();
  }

  /** The webhooks whose rules match; selectors and conditions are not looked at. */
  matching(head: RequestHead): readonly MatchedWebhook[] {
    if (this.#configurations.size === 0) return NONE;
    const { operation, subresource, namespace, definition } = head;
    let known = this.#known.get(definition);
    if (known === undefined) {
      if (this.#known.size >= KINDS_MAX) this.#known.clear();
      known = new Map();
      this.#known.set(definition, known);
    }
    const key = subresource === '' && namespace !== '' ? operation : `${operation}/${namespace === ''}/${subresource}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const { group, plural } = definition.resource;
    const hooks = group === GROUP && EXEMPT.has(plural) ? NONE : this.#match(head);
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, hooks);
    return hooks;
  }

  /**
   * Those of `matched` whose selector takes the namespace; all of them when nobody knows it. Remembered: most webhooks are about all
   * kinds of a few namespaces, and a write elsewhere must not pay for their number.
   */
  within(matched: readonly MatchedWebhook[], namespaceOf: () => KubeObject | undefined): readonly MatchedWebhook[] {
    if (matched.every(({ hook }) => hook.namespaceSelector === undefined)) return matched;
    const namespace = namespaceOf();
    if (namespace === undefined) return matched;
    const known = this.#within.get(matched) ?? new WeakMap<KubeObject, readonly MatchedWebhook[]>();
    const found = known.get(namespace);
    if (found !== undefined) return found;
    const labels = namespace.metadata.labels ?? {};
    const hooks = matched.filter(({ hook }) => hook.namespaceSelector?.matches(labels) ?? true);
    this.#within.set(matched, known.set(namespace, hooks));
    return hooks;
  }

  /** Does the `objectSelector` of any of them take the objects? Remembers the selectors of a list. */
  areTaken(matched: readonly MatchedWebhook[], objects: RequestObjects): boolean {
    let selectors = this.#selectors.get(matched);
    if (selectors === undefined) {
      selectors = new ObjectSelectors(matched.map(({ hook }) => hook.objectSelector));
      this.#selectors.set(matched, selectors);
    }
    return selectors.takeAny(objects);
  }

  /**
   * The same webhook as before when nothing of it has changed: a controller that patches the `caBundle` of one webhook
   * must not make the conditions of all be compiled again.
   */
  #compiled(
    before: readonly CompiledWebhook[],
    configuration: string,
    hook: JsonRecord,
    index: number,
  ): CompiledWebhook {
    const known = before.find(({ source }) => source['name'] === hook['name'] && sameJson(source, hook));
    return known ?? compileWebhook(this.#type, configuration, hook, index);
  }

  #match(head: RequestHead): readonly MatchedWebhook[] {
    return this.hooks.flatMap((hook) => {
      const { isEquivalent } = hook;
      const match = matchRules(hook.rules, head, { isEquivalent, equivalents: this.#equivalents });
      return match === undefined ? [] : [{ hook, definition: match.definition }];
    });
  }

  #changed(): void {
    this.#hooks = undefined;
    this.#known.clear();
  }
}
