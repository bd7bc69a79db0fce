/** Finds the resource of a kind, or of a name as kubectl takes it, from what the server says that it serves. */

import { type AbortOptions, apiVersionOf, systemClock } from '@listwatch/api';
import type { Cluster } from '../cluster.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { type DiscoveredCluster, type Discovery, discover } from './discover.ts';
import { DiscoveryCache } from './discovery-cache.ts';
import { NoMatchError } from './no-match-error.ts';
import { resourceMatches } from './resource-matches.ts';
import { parseResourceName } from './resource-name.ts';
import type { ServedResource } from './served-resource.ts';

/** Looks resources up. Lookups reject with a `NoMatchError` for what is not served, and else as `discover` does. */
export interface RestMapper {
  /** The resource of a kind: `kind('apps/v1', 'Deployment')`. */
  kind(apiVersion: string, kind: string, options?: AbortOptions): Promise<ServedResource>;
  /**
   * The resource that a name means: plural, singular, short name or kind (`deployments`, `deploy`, `Deployment`), with its group
   * or version where that matters (`deploy.apps`, `deployments.v1.apps`, `apps/v1/deployments`).
   */
  named(name: string, options?: AbortOptions): Promise<ServedResource>;
  /** Everything that is served, from the cache while it is young enough. */
  discovery(options?: AbortOptions): Promise<Discovery>;
  /** Drops the cache: the next lookup asks the server. Call it when a request for a resource was answered 404. */
  invalidate(): void;
}

/** Options of `restMapper`. */
export interface RestMapperOptions {
  /** How long the answer of the server is used. Default: 600 000. */
  readonly maxAgeMs?: number | undefined;
  /** An unknown kind makes the mapper ask the server again, but not more often than this. Default: 5 000. */
  readonly refreshIntervalMs?: number | undefined;
}

/** What `restMapper` needs of a cluster. */
export type MappedCluster = DiscoveredCluster & Partial<Pick<Cluster, 'clock'>>;

const OPTION_NAMES: OptionNames<RestMapperOptions> = { maxAgeMs: true, refreshIntervalMs: true };

/**
 * Makes a REST mapper. It asks the server at the first lookup, when what it has is too old, and when a kind is unknown.
 *
 * @example
 * const mapper = restMapper(cluster);
 * const deployments = await mapper.kind('apps/v1', 'Deployment');
 * for (const { metadata } of (await cluster.list(deployments)).items) console.log(metadata.name);
 */
export function restMapper(cluster: MappedCluster, options: RestMapperOptions = {}): RestMapper {
  checkOptionNames('restMapper', options, OPTION_NAMES);
  const { maxAgeMs = 600_000, refreshIntervalMs = 5_000 } = options;
  for (const [name, value] of Object.entries({ maxAgeMs, refreshIntervalMs })) {
    if (!(value >= 0)) throw new RangeError(`${name} must be a time in milliseconds, not ${value}`);
  }
  const cache = new DiscoveryCache({
    clock: cluster.clock ?? systemClock,
    load: (signal) => discover(cluster, { signal }),
  });
  const kinds = new KindIndex();
  const find = async (
    { signal }: AbortOptions,
    lookUp: (found: Discovery) => ServedResource | undefined,
    noMatch: (found: Discovery) => NoMatchError,
  ): Promise<ServedResource> => {
    const known = lookUp(await cache.get(maxAgeMs, signal));
    if (known !== undefined) return known;
    // It may be new. What was read a moment ago is not read again, so that unknown kinds in a loop cost no requests.
    const fresh = await cache.get(Math.min(maxAgeMs, refreshIntervalMs), signal);
    const added = lookUp(fresh);
    if (added === undefined) throw noMatch(fresh);
    return added;
  };
  return {
    kind: (apiVersion, kind, lookup = {}) => {
      const noMatch = (found: Discovery): NoMatchError => unknownKind(apiVersion, kind, found);
      return find(lookup, (found) => kinds.of(found).get(`${apiVersion} ${kind}`), noMatch);
    },
    named: async (name, lookup = {}) => {
      const named = parseResourceName(name);
      if (named === undefined || named.object !== undefined) {
        throw new TypeError(`${JSON.stringify(name)} is not the name of a resource, such as pods or deployments.apps`);
      }
      const match = ({ resources }: Discovery): ServedResource | undefined =>
        named.readings.flatMap((reading) => resourceMatches(reading, resources))[0];
      return find(lookup, match, (found) => noMatchError(`the server has no resource ${JSON.stringify(name)}`, found));
    },
    discovery: ({ signal } = {}) => cache.get(maxAgeMs, signal),
    invalidate: () => cache.clear(),
  };
}

/** Resources by apiVersion and kind: a manifest may have thousands of documents, a server thousands of kinds. */
class KindIndex {
  #of: Discovery | undefined;
  #byKind: ReadonlyMap<string, ServedResource> = new Map();

  of(discovery: Discovery): ReadonlyMap<string, ServedResource> {
    if (this.#of === discovery) return this.#byKind;
    const entries = discovery.resources.map((served) => [`${apiVersionOf(served)} ${served.kind}`, served] as const);
    // The last one wins in a Map, and the first one here.
    this.#byKind = new Map(entries.toReversed());
    this.#of = discovery;
    return this.#byKind;
  }
}

/** How many names go into a message. */
const SHOWN = 20;

function unknownKind(apiVersion: string, kind: string, found: Discovery): NoMatchError {
  const sameVersion = found.resources.filter((served) => apiVersionOf(served) === apiVersion);
  const sameKind = found.resources.filter((served) => served.kind === kind).map(apiVersionOf);
  const start = `the server has no kind ${JSON.stringify(kind)} in ${apiVersion}`;
  if (sameKind.length > 0) return noMatchError(`${start}; it has it in ${shown(sameKind)}`, found, apiVersion);
  const kinds = sameVersion.map((served) => served.kind).toSorted();
  const there = kinds.length === 0 ? `it does not serve ${apiVersion}` : `it has ${shown(kinds)}`;
  return noMatchError(`${start}; ${there}`, found, apiVersion);
}

/** The missing kind may be one of a group whose own server is down. */
function noMatchError(message: string, { failures }: Discovery, apiVersion?: string): NoMatchError {
  const failure = failures.find((candidate) => apiVersion === undefined || apiVersionOf(candidate) === apiVersion);
  if (failure === undefined) return new NoMatchError(message);
  const { error: cause } = failure;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new NoMatchError(`${message}; could not discover ${apiVersionOf(failure)}: ${why}`, { cause });
}

function shown(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length > SHOWN ? `, and ${all.length - SHOWN} more` : '';
  return `${all.slice(0, SHOWN).join(', ')}${more}`;
}
