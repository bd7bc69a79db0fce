/** The objects of parameters that a binding refers to. They come from the caches, so that a change counts at once. */

import { labelSelector } from '@listwatch/api';
import { isRecord, type JsonRecord, textOf } from '@listwatch/api/values';
import type { KubeObject, QuickBudget } from '@listwatch/rules/internal';
import { type CachedObject, parseObject } from '../../../cache/cached-object.ts';
import type { ResourceCache } from '../../../cache/resource-cache.ts';
import { justPause, LoopPace } from '../../../contract/pause.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';

/** An object of parameters. */
export interface PolicyParam {
  readonly namespace: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Parsed at the first use. Throws `TooLongHere` when that would take more than the rest of the budget. */
  object(quick: QuickBudget | undefined): KubeObject;
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

/** The maximum that a selector may match: each object is evaluated, and what costs much crosses to another thread. */
const SELECTED_MAX = 1000;
const SELECTED_BYTES_MAX = 16 * 1024 * 1024;

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
  async collect(kind: ResourceDefinition, paramRef: JsonRecord, namespace: string): Promise<readonly PolicyParam[]> {
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
    const found = await this.#find(this.#sources.cacheOf(kind), paramRef, within);
    if (found.length === 0 && paramRef['parameterNotFoundAction'] === 'Deny') {
      throw new ConfigurationProblem('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    return found.map((object) => this.#param(object));
  }

  async #find(
    cache: ResourceCache,
    { name, selector }: JsonRecord,
    namespace: string,
  ): Promise<readonly CachedObject[]> {
    const generation = cache.generation ?? cache.requireReady();
    if (textOf(name) !== '') {
      const found = generation.get(namespace === '' ? textOf(name) : `${namespace}/${textOf(name)}`);
      return found === undefined ? [] : [found];
    }
    if (!isRecord(selector)) return [];
    const wanted = labelSelector(selector);
    const found: CachedObject[] = [];
    let bytes = 0;
    // Everybody who may create parameters decides how many there are.
    const pace = new LoopPace(justPause);
    for (const object of generation.snapshot().walk(namespace === '' ? '' : `${namespace}/`)) {
      const rest = pace.step();
      if (rest !== undefined) await rest;
      if (!wanted.matches(object.labels)) continue;
      found.push(object);
      bytes += object.bytes.byteLength;
      if (found.length > SELECTED_MAX || bytes > SELECTED_BYTES_MAX) {
        const limit = `${SELECTED_MAX} objects or ${SELECTED_BYTES_MAX} bytes`;
        throw new ConfigurationProblem(`the selector of paramRef matches more than ${limit}`);
      }
    }
    return found;
  }

  #param(object: CachedObject): PolicyParam {
    const { namespace, name, bytes } = object;
    return { namespace, name, bytes, object: (quick) => this.#parse(object, quick) };
  }

  #parse(object: CachedObject, quick: QuickBudget | undefined): KubeObject {
    const known = this.#parsed.get(object);
    if (known === undefined) quick?.parse(object.bytes.byteLength);
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
