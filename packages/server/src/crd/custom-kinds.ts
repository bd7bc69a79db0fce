/** Serves the kinds that CustomResourceDefinitions define, and no others: follows them through the cache. Start here. */

import { EMBEDDED_METADATA } from '@listwatch/rules/internal';
import { type CustomRules, CustomSchema } from '@listwatch/schema';
import type { CommitGuard } from '@listwatch/storage';
import type { CacheGeneration, GenerationListener } from '../cache/cache-generation.ts';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { SharedValue } from '../contract/large-work.ts';
import type { LiveDiscovery } from '../discovery/discovery.ts';
import { type CostlyObjects, costlyObjects } from '../kinds/crd/costly-definition.ts';
import { type CustomDefinition, definitionSchema, readDefinition } from '../kinds/crd/custom-definition.ts';
import type { FormVersions } from '../kinds/crd/custom-form.ts';
import { customKinds } from '../kinds/crd/custom-versions.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ResourceRegistry } from '../kinds/resource-registry.ts';
import { definitionHead } from '../stored/definition-head.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import { customResources } from './custom-resources.ts';

/** The parts that custom kinds need. */
export interface CustomKindsParts {
  readonly registry: Pick<ResourceRegistry, 'ownsFolder' | 'replace'>;
  readonly caches: Pick<CacheSet, 'add' | 'remove'>;
  readonly discovery: Pick<LiveDiscovery, 'isBuiltIn' | 'show'>;
  /** The key of a definition in the store. */
  readonly keyOf: (name: string) => string;
  /** Evaluates the rules of schemas. Undefined: they are not evaluated. */
  readonly rules?: CustomRules | undefined;
  /** The stored form of kinds that a webhook converts. */
  readonly webhookForm?:
    | ((definition: CustomDefinition, version: string, versions: FormVersions) => StoredForm)
    | undefined;
  /** Called after every change of a definition has taken effect. */
  readonly onChange?: ((name: string) => void) | undefined;
}

/** A known definition and the kinds that are served of it. */
export interface KnownCustomKind {
  definition: CustomDefinition;
  /** The bytes of the definition now: schemas are read from them when an object first needs one. */
  bytes: Buffer;
  /** The revision of these bytes. */
  revision: bigint;
  /** Empty: nothing is served. */
  readonly kinds: readonly ResourceDefinition[];
  /** The result of `costlyObjects` for some bytes. */
  judged?: { readonly bytes: Buffer; readonly isCostly: CostlyObjects };
}

/** The custom kinds of a server. They depend on the definitions at the current revision only. */
export class CustomKinds implements GenerationListener {
  readonly #parts: CustomKindsParts;
  readonly #known = new Map<string, KnownCustomKind>();
  readonly #groups = new Map<string, Set<KnownCustomKind>>();

  constructor(parts: CustomKindsParts) {
    this.#parts = parts;
  }

  /** All definitions. */
  get all(): ReadonlyMap<string, KnownCustomKind> {
    return this.#known;
  }

  /** The definitions of a group. */
  inGroup(group: string): Iterable<KnownCustomKind> {
    return this.#groups.get(group) ?? [];
  }

  /** Follows the definitions of a generation, and stops serving definitions that are gone since the previous generation. */
  follow(generation: CacheGeneration): void {
    const found = new Set<string>();
    for (const object of generation.snapshot().walk()) {
      found.add(object.name);
      this.#set(object.name, object);
    }
    for (const name of this.#known.keys()) if (!found.has(name)) this.#set(name, undefined);
    generation.listen(this);
  }

  /** The definition of a custom kind as it is known here. Undefined for built-in kinds. */
  guardOf({ resource: { group, plural }, custom }: ResourceDefinition): CommitGuard | undefined {
    if (custom === undefined) return undefined;
    const name = `${plural}.${group}`;
    const known = this.#known.get(name);
    // A later definition of the same name does not count: the request was decoded by the schema of this one.
    const revision = known?.definition.uid === custom.uid ? known.revision : custom.since;
    return { key: this.#parts.keyOf(name), revision };
  }

  /** The stored bytes of the definition of a custom kind, by a key of this state. Undefined: it is not served any more. */
  bytesOf(definition: ResourceDefinition): SharedValue | undefined {
    const known = this.#current(definition);
    return known && { key: `${known.definition.name}@${known.revision}`, bytes: known.bytes };
  }

  /** Does it take long to validate an object of this many bytes? */
  isCostly(definition: ResourceDefinition, size: number): boolean {
    const known = this.#current(definition);
    if (known === undefined) return false;
    if (known.judged?.bytes !== known.bytes)
      known.judged = { bytes: known.bytes, isCostly: costlyObjects(known.bytes) };
    return known.judged.isCostly(size);
  }

  #current({ resource: { group, plural }, custom }: ResourceDefinition): KnownCustomKind | undefined {
    const known = this.#known.get(`${plural}.${group}`);
    return known?.definition.uid === custom?.uid ? known : undefined;
  }

  changed({ key, object }: ObjectChange): void {
    this.#set(key, object);
  }

  settled(): void {
    // The changes have been applied one by one.
  }

  ended(): void {
    // Keep serving the known kinds until the next generation.
  }

  #set(name: string, object: CachedObject | undefined): void {
    const definition = object && readHead(object.bytes);
    const old = this.#known.get(name);
    if (object === undefined || definition === undefined) this.#remove(name, old);
    else if (old !== undefined && isSame(old.definition, definition)) {
      old.definition = definition;
      old.bytes = object.bytes;
      old.revision = object.revision;
    } else this.#replace(name, old, definition, object);
    if (definition !== undefined) this.#show(name, definition);
    this.#parts.onChange?.(name);
  }

  #replace(name: string, old: KnownCustomKind | undefined, definition: CustomDefinition, object: CachedObject): void {
    const { registry, caches } = this.#parts;
    const made: { kind?: KnownCustomKind } = {};
    const kinds = this.#kindsOf(definition, object.revision, () => made.kind ?? { definition, bytes: object.bytes });
    const next: KnownCustomKind = { definition, bytes: object.bytes, revision: object.revision, kinds };
    made.kind = next;
    this.#known.set(name, next);
    if (old !== undefined) this.#leaveGroup(old);
    this.#groups.set(definition.group, (this.#groups.get(definition.group) ?? new Set<KnownCustomKind>()).add(next));
    registry.replace(old?.kinds ?? [], kinds);
    if (old !== undefined) caches.remove(old.kinds);
    caches.add(kinds);
  }

  #remove(name: string, old: KnownCustomKind | undefined): void {
    if (old === undefined) return;
    const { registry, caches, discovery } = this.#parts;
    this.#known.delete(name);
    this.#leaveGroup(old);
    registry.replace(old.kinds, []);
    caches.remove(old.kinds);
    discovery.show(old.definition.group, name, undefined);
  }

  #leaveGroup(kind: KnownCustomKind): void {
    const members = this.#groups.get(kind.definition.group);
    if (members?.delete(kind) === true && members.size === 0) this.#groups.delete(kind.definition.group);
  }

  #kindsOf(
    definition: CustomDefinition,
    since: bigint,
    current: () => Pick<KnownCustomKind, 'bytes' | 'definition'>,
  ): readonly ResourceDefinition[] {
    const { registry, discovery, rules, webhookForm } = this.#parts;
    const { group, accepted } = definition;
    // A definition must not take over the keys of a built-in kind.
    if (!definition.isServed || registry.ownsFolder(`${group}/${accepted.plural}`)) return [];
    return customKinds(definition, {
      schemaOf: (version) =>
        new CustomSchema(() => definitionSchema(parseObject(current().bytes), version), EMBEDDED_METADATA),
      since,
      rules,
      isTerminating: () => current().definition.isTerminating,
      webhookForm: webhookForm && ((version, versions) => webhookForm(definition, version, versions)),
    }).filter(({ resource }) => !discovery.isBuiltIn(group, resource.version));
  }

  #show(name: string, definition: CustomDefinition): void {
    const { discovery } = this.#parts;
    const kinds = this.#known.get(name)?.kinds ?? [];
    const isShown = definition.isEstablished && kinds.length > 0;
    discovery.show(definition.group, name, isShown ? () => customResources(definition, kinds) : undefined);
  }
}

function readHead(bytes: Buffer): CustomDefinition | undefined {
  const head = definitionHead(bytes);
  // Without a generation the whole spec tells whether it has changed.
  return readDefinition((head.metadata.generation ?? 0) > 0 ? head : parseObject(bytes));
}

/** Do both definitions serve the same kinds? */
function isSame(one: CustomDefinition, other: CustomDefinition): boolean {
  return one.fingerprint === other.fingerprint && one.uid === other.uid && one.isServed === other.isServed;
}
