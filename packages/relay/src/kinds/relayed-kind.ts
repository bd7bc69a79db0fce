/** A kind that a relay answers lists and watches of. */

import { apiVersionOf, groupResourceText, type Resource, resource } from '@listwatch/api';
import { KNOWN_KINDS, PassedLayout, type ReadKind } from '@listwatch/server/read';
import { KindMessages } from './kind-messages.ts';
import { isCustomName, type KindName, parseKindName } from './kind-name.ts';

/** One kind in one version: another version has a feed of its own. */
export interface RelayedKind {
  readonly definition: ReadKind;
  /** How the upstream is asked for it. */
  readonly resource: Resource;
  readonly layout: PassedLayout;
  /** `pods`, `deployments.apps`. */
  readonly name: string;
  /**
   * Several of its objects may be deleted at one version: Events expire by leases. Its deletions count when something later has
   * come.
   */
  readonly expires: boolean;
  /** Absent: requests for protobuf pass. */
  readonly messages?: KindMessages | undefined;
  /** Absent: a built-in kind. */
  readonly custom?: CustomPart | undefined;
}

/** What a kind has that a CustomResourceDefinition defines. Another definition is another kind. */
export interface CustomPart {
  /** Two kinds whose objects may look different have different ones. */
  readonly schema: string;
  /** Before this the upstream may still show objects as the definition before had them. Undefined: it was not changed. */
  readonly settled: Promise<void> | undefined;
  /** The last version of the kind by the definition before: clients that have it must list again. */
  readonly after: () => bigint | undefined;
  /** Rejects when the upstream has another definition by now, or cannot be asked. */
  readonly verify: () => Promise<void>;
}

/** The kinds of a relay, by the coordinates of a path. Those of definitions come and go. */
export class RelayedKinds implements Iterable<RelayedKind> {
  /** The names of custom kinds, whether they are defined or not. */
  readonly customNames: readonly KindName[];
  readonly #byPlace: Map<string, RelayedKind>;
  readonly #byDefinition: Map<ReadKind, RelayedKind>;

  constructor(kinds: Iterable<RelayedKind>, customNames: readonly KindName[] = []) {
    const all = [...kinds];
    this.customNames = customNames;
    this.#byPlace = new Map(all.map((kind) => [placeOf(kind.resource), kind]));
    this.#byDefinition = new Map(all.map((kind) => [kind.definition, kind]));
  }

  find(place: Pick<Resource, 'group' | 'plural' | 'version'>): RelayedKind | undefined {
    return this.#byPlace.get(placeOf(place));
  }

  of(definition: ReadKind): RelayedKind | undefined {
    return this.#byDefinition.get(definition);
  }

  add(kind: RelayedKind): void {
    this.#byPlace.set(placeOf(kind.resource), kind);
    this.#byDefinition.set(kind.definition, kind);
  }

  /** Whoever comes is passed on; watches that are open go on. */
  hide(kind: RelayedKind): void {
    if (this.find(kind.resource) === kind) this.#byPlace.delete(placeOf(kind.resource));
  }

  remove(kind: RelayedKind): void {
    this.hide(kind);
    this.#byDefinition.delete(kind.definition);
  }

  [Symbol.iterator](): Iterator<RelayedKind> {
    return this.#byPlace.values();
  }
}

/** Reviews cannot be listed, so that no kind of their groups is known. */
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set([
  ...KNOWN_KINDS.map(({ data }) => data.group),
  'authentication.k8s.io',
  'authorization.k8s.io',
]);

/**
 * The kinds of these names: `pods`, `deployments.apps`, `horizontalpodautoscalers.v2.autoscaling`, `widgets.example.com`. Throws a
 * `RangeError` for a name that cannot be relayed, with the reason. Resolves when the schemas of the built-in ones are loaded.
 */
export async function relayedKinds(names: readonly string[]): Promise<RelayedKinds> {
  const parsed = names.map(parseKindName);
  const customNames = parsed.filter((name) => !BUILT_IN_GROUPS.has(name.group) && isCustomName(name));
  const kinds = parsed.filter((name) => !customNames.includes(name)).map(builtInKind);
  await Promise.all(kinds.map(async (kind) => KNOWN_KINDS.find((known) => known === kind.definition)?.load()));
  return new RelayedKinds(kinds, customNames);
}

function knownKind({ plural, group, version }: KindName): (typeof KNOWN_KINDS)[number] | undefined {
  return KNOWN_KINDS.find(
    ({ data }) => data.plural === plural && data.group === group && (version ?? data.version) === data.version,
  );
}

function builtInKind(name: KindName): RelayedKind {
  const known = knownKind(name);
  const { text } = name;
  if (known === undefined) {
    throw new RangeError(
      `kind ${JSON.stringify(text)} cannot be relayed: it is no built-in kind, nor the name of a CustomResourceDefinition (use PLURAL or PLURAL.GROUP, for example pods, deployments.apps or widgets.example.com)`,
    );
  }
  const { data, deprecation } = known;
  const misses = ['list', 'watch'].filter((verb) => !data.verbs.includes(verb));
  if (misses.length > 0) throw new RangeError(`kind ${text} cannot be relayed: it has no ${misses.join(' and no ')}`);
  // Whether an answer carries the warning depends on the release of the upstream.
  if (deprecation !== undefined) throw new RangeError(`kind ${text} cannot be relayed: ${deprecation}`);
  const expires = known.strategy?.ttlSeconds !== undefined;
  const messages = new KindMessages(known);
  return { ...readParts(known, resource(data), messages.encode), expires, messages };
}

/** What every kind has. */
export function readParts(
  definition: ReadKind,
  coordinates: Resource,
  message?: KindMessages['encode'],
): Pick<RelayedKind, 'definition' | 'layout' | 'name' | 'resource'> {
  return {
    definition,
    resource: coordinates,
    layout: new PassedLayout({ kind: coordinates.kind, apiVersion: apiVersionOf(coordinates) }, message),
    name: groupResourceText(coordinates),
  };
}

function placeOf({ group, version, plural }: Pick<Resource, 'group' | 'plural' | 'version'>): string {
  return `${group}/${version}/${plural}`;
}
