/** Serves the kinds that CustomResourceDefinitions define, and no others: follows them through the cache. Start here. */

import { EMBEDDED_METADATA } from '@listwatch/rules/internal';
import { type CustomRules, CustomSchema } from '@listwatch/schema';
import type { CommitGuard } from '@listwatch/storage';
import type { CacheGeneration, GenerationListener } from '../cache/cache-generation.ts';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { LiveDiscovery } from '../discovery/discovery.ts';
import { type CustomDefinition, readDefinition, schemaOf } from '../kinds/crd/custom-definition.ts';
import type { FormVersions } from '../kinds/crd/custom-form.ts';
import { customKinds } from '../kinds/crd/custom-versions.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ResourceRegistry } from '../kinds/resource-registry.ts';
import { definitionHead } from '../stored/definition-head.ts';
import type { StoredForm } from '../stored/stored-form.ts';
import type { CacheSet } from '../watch/cache-set.ts';
import { customResources } from './custom-resources.ts';

/** What serving needs. */
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
  /** Told of every change of a definition, after it has been served. */
  readonly onChange?: ((name: string) => void) | undefined;
}

/** A definition that is known, and what is served of it. */
export interface CustomKind {
  definition: CustomDefinition;
  /** The bytes of the definition now: schemas are read from them when an object first needs one. */
  bytes: Buffer;
  /** The revision of these bytes. */
  revision: bigint;
  /** Empty: nothing is served. */
  readonly kinds: readonly ResourceDefinition[];
}

/** The custom kinds of a server. What it serves at a revision depends on the definitions at that revision alone. */
export class CustomKinds implements GenerationListener {
  readonly #parts: CustomKindsParts;
  readonly #known = new Map<string, CustomKind>();
  readonly #groups = new Map<string, Set<CustomKind>>();

  constructor(parts: CustomKindsParts) {
    this.#parts = parts;
  }

  /** All definitions. */
  get all(): ReadonlyMap<string, CustomKind> {
    return this.#known;
  }

  /** The definitions of a group. */
  inGroup(group: string): Iterable<CustomKind> {
    return this.#groups.get(group) ?? [];
  }

  /** Follows the definitions of a generation; those that are gone since the one before are no longer served. */
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
    // Another definition of the same name must not vouch for a request that was decoded by this one.
    const revision = known?.definition.uid === custom.uid ? known.revision : custom.since;
    return { key: this.#parts.keyOf(name), revision };
  }

  changed({ key, object }: ObjectChange): void {
    this.#set(key, object);
  }

  settled(): void {
    // The changes have been applied one by one.
  }

  ended(): void {
    // What is served stays until the next generation says otherwise.
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

  #replace(name: string, old: CustomKind | undefined, definition: CustomDefinition, object: CachedObject): void {
    const { registry, caches } = this.#parts;
    const made: { kind?: CustomKind } = {};
    const kinds = this.#kindsOf(definition, object.revision, () => made.kind ?? { definition, bytes: object.bytes });
    const next: CustomKind = { definition, bytes: object.bytes, revision: object.revision, kinds };
    made.kind = next;
    this.#known.set(name, next);
    if (old !== undefined) this.#leaveGroup(old);
    this.#groups.set(definition.group, (this.#groups.get(definition.group) ?? new Set<CustomKind>()).add(next));
    registry.replace(old?.kinds ?? [], kinds);
    if (old !== undefined) caches.remove(old.kinds);
    caches.add(kinds);
  }

  #remove(name: string, old: CustomKind | undefined): void {
    if (old === undefined) return;
    const { registry, caches, discovery } = this.#parts;
    this.#known.delete(name);
    this.#leaveGroup(old);
    registry.replace(old.kinds, []);
    caches.remove(old.kinds);
    discovery.show(old.definition.group, name, undefined);
  }

  #leaveGroup(kind: CustomKind): void {
    const members = this.#groups.get(kind.definition.group);
    if (members?.delete(kind) === true && members.size === 0) this.#groups.delete(kind.definition.group);
  }

  #kindsOf(
    definition: CustomDefinition,
    since: bigint,
    current: () => Pick<CustomKind, 'bytes' | 'definition'>,
  ): readonly ResourceDefinition[] {
    const { registry, discovery, rules, webhookForm } = this.#parts;
    const { group, accepted } = definition;
    // The keys of a built-in kind are not those of a custom one, whatever a definition says.
    if (!definition.isServed || registry.ownsFolder(`${group}/${accepted.plural}`)) return [];
    return customKinds(definition, {
      schemaOf: (version) => new CustomSchema(() => schemaOf(parseObject(current().bytes), version), EMBEDDED_METADATA),
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

/** Do both serve the same, to the same clients? */
function isSame(one: CustomDefinition, other: CustomDefinition): boolean {
  return one.fingerprint === other.fingerprint && one.uid === other.uid && one.isServed === other.isServed;
}
