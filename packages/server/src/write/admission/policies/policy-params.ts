/** The objects of parameters that a binding refers to. They come from the caches, so that a change counts at once. */

import { labelSelector } from '@listwatch/api';
import { isRecord, type JsonRecord, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { type CachedObject, parseObject } from '../../../cache/cached-object.ts';
import type { ResourceCache } from '../../../cache/resource-cache.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';

/** An object of parameters. */
export interface PolicyParam {
  readonly namespace: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Parsed at the first use. */
  object(): KubeObject;
}

/** No object: `params` is null. */
export type CollectedParam = PolicyParam | undefined;

/** Thrown for a policy or a binding that cannot be used as it is configured. */
export class ConfigurationProblem extends Error {
  override readonly name = 'ConfigurationProblem';
}

/** The sources of parameters. */
export interface ParamSources {
  /** All kinds that are served. */
  readonly kinds: () => Iterable<ResourceDefinition>;
  readonly cacheOf: (definition: ResourceDefinition) => ResourceCache;
}

/** The maximum of parsed objects in the cache. */
const PARSED_MAX = 256;
/** Their maximum size together. */
const PARSED_BYTES_MAX = 4 * 1024 * 1024;

/** The parameters of all policies of a server. */
export class PolicyParams {
  readonly #sources: ParamSources;
  /** By cached object: a changed object has a new key. The least recently used is first. */
  readonly #parsed = new Map<CachedObject, KubeObject>();
  #bytes = 0;

  constructor(sources: ParamSources) {
    this.#sources = sources;
  }

  /** The kind of a `paramKind`. Throws the {@link ConfigurationProblem} when it is not served. */
  kind(paramKind: JsonRecord): ResourceDefinition {
    const [version = '', group = ''] = textOf(paramKind['apiVersion']).split('/').toReversed();
    const kind = textOf(paramKind['kind']);
    for (const definition of this.#sources.kinds()) {
      const { resource } = definition;
      if (resource.kind === kind && resource.version === version && resource.group === group) return definition;
    }
    const text = `${group}/${version}, Kind=${kind}`;
    throw new ConfigurationProblem(`failed to find resource referenced by paramKind: '${text}'`);
  }

  /**
   * The objects for a request in `namespace`; none when they are missing and that is allowed. Throws a
   * {@link ConfigurationProblem}.
   */
  collect(
    kind: ResourceDefinition | undefined,
    paramRef: JsonRecord | undefined,
    namespace: string,
  ): readonly CollectedParam[] {
    if (kind === undefined || paramRef === undefined) return NO_PARAM;
    const { namespaced } = kind.resource;
    const own = textOf(paramRef['namespace']);
    if (!namespaced && own !== '') {
      throw new ConfigurationProblem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    }
    const within = namespaced ? own || namespace : '';
    if (namespaced && within === '') {
      const why = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
      throw new ConfigurationProblem(why);
    }
    const found = this.#find(this.#sources.cacheOf(kind), paramRef, within);
    if (found.length === 0 && paramRef['parameterNotFoundAction'] === 'Deny') {
      throw new ConfigurationProblem('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return found.map((object) => this.#param(object));
  }

  #find(cache: ResourceCache, { name, selector }: JsonRecord, namespace: string): readonly CachedObject[] {
    const generation = cache.generation ?? cache.requireReady();
    if (textOf(name) !== '') {
      const found = generation.get(namespace === '' ? textOf(name) : `${namespace}/${textOf(name)}`);
      return found === undefined ? [] : [found];
    }
    if (!isRecord(selector)) return [];
    const wanted = labelSelector(selector);
    const walk = generation.snapshot().walk(namespace === '' ? '' : `${namespace}/`);
    return Array.from(walk).filter(({ labels }) => wanted.matches(labels));
  }

  #param(object: CachedObject): PolicyParam {
    const { namespace, name, bytes } = object;
    return { namespace, name, bytes, object: () => this.#parse(object) };
  }

  #parse(object: CachedObject): KubeObject {
    const known = this.#parsed.get(object);
    const parsed = known ?? parseObject(object.bytes);
    if (known !== undefined) this.#parsed.delete(object);
    else this.#bytes += object.bytes.byteLength;
    this.#parsed.set(object, parsed);
    for (const oldest of this.#parsed.keys()) {
      if (this.#parsed.size <= PARSED_MAX && this.#bytes <= PARSED_BYTES_MAX) break;
      this.#parsed.delete(oldest);
      this.#bytes -= oldest.bytes.byteLength;
    }
    return parsed;
  }
}

const NO_PARAM: readonly CollectedParam[] = [undefined];
