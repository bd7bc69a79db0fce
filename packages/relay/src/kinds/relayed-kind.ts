/** A kind that a relay answers lists and watches of. */

import { groupResourceText, type Resource, resource } from '@listwatch/api';
import { KNOWN_KINDS, PassedLayout, type ReadKind } from '@listwatch/server/read';

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
}

/** The kinds of a relay, by the coordinates of a path. */
export class RelayedKinds implements Iterable<RelayedKind> {
  readonly #byPlace: ReadonlyMap<string, RelayedKind>;

  constructor(kinds: Iterable<RelayedKind>) {
    this.#byPlace = new Map([...kinds].map((kind) => [placeOf(kind.resource), kind]));
  }

  find(place: Pick<Resource, 'group' | 'plural' | 'version'>): RelayedKind | undefined {
    return this.#byPlace.get(placeOf(place));
  }

  [Symbol.iterator](): Iterator<RelayedKind> {
    return this.#byPlace.values();
  }
}

/**
 * The kinds of these names: `pods`, `deployments.apps`, `horizontalpodautoscalers.v2.autoscaling`. Throws a `RangeError` for a name
 * that cannot be relayed, with the reason. Resolves when their schemas are loaded.
 */
export async function relayedKinds(names: readonly string[]): Promise<RelayedKinds> {
  const kinds = names.map(relayedKind);
  await Promise.all(kinds.map(async (kind) => KNOWN_KINDS.find((known) => known === kind.definition)?.load()));
  return new RelayedKinds(kinds);
}

function relayedKind(name: string): RelayedKind {
  const [plural = '', ...rest] = name.split('.');
  const hasVersion = /^v\d+(?:(?:alpha|beta)\d+)?$/u.test(rest[0] ?? '');
  const version = hasVersion ? rest[0] : undefined;
  const group = (hasVersion ? rest.slice(1) : rest).join('.');
  const known = KNOWN_KINDS.find(
    ({ data }) => data.plural === plural && data.group === group && (version ?? data.version) === data.version,
  );
  if (known === undefined) {
    throw new RangeError(
      `kind ${JSON.stringify(name)} cannot be relayed: it is no built-in kind (use PLURAL or PLURAL.GROUP, for example pods or deployments.apps)`,
    );
  }
  const { data, deprecation } = known;
  const misses = ['list', 'watch'].filter((verb) => !data.verbs.includes(verb));
  if (misses.length > 0) throw new RangeError(`kind ${name} cannot be relayed: it has no ${misses.join(' and no ')}`);
  // Whether an answer carries the warning depends on the release of the upstream.
  if (deprecation !== undefined) throw new RangeError(`kind ${name} cannot be relayed: ${deprecation}`);
  const coordinates = resource(data);
  return {
    definition: known,
    resource: coordinates,
    layout: new PassedLayout({
      kind: data.kind,
      apiVersion: data.group === '' ? data.version : `${data.group}/${data.version}`,
    }),
    name: groupResourceText(coordinates),
    expires: known.strategy?.ttlSeconds !== undefined,
  };
}

function placeOf({ group, version, plural }: Pick<Resource, 'group' | 'plural' | 'version'>): string {
  return `${group}/${version}/${plural}`;
}
