/** Which resource holds the objects of a kind: asked of the server, once for each version of a group. */

import { groupVersionPath, isNotFound, type Resource, resource } from '@listwatch/api';
import { requestJson, type Send } from './server-requests.ts';

/** A resource and what it can do beside its verbs. */
export interface FoundKind {
  readonly resource: Resource;
  readonly hasStatus: boolean;
}

/** What discovery says of a resource, as far as it is read here. */
interface DiscoveryEntry {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Looks kinds up by discovery. */
export class KindDirectory {
  readonly #send: Send;
  readonly #versions = new Map<string, Promise<readonly DiscoveryEntry[]>>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** The resource of a kind. Throws a `TypeError` that says what the server has instead when there is none. */
  async find(apiVersion: string, kind: string): Promise<FoundKind> {
    const entries = await this.#entries(apiVersion);
    const entry = entries.find(({ name, kind: candidate }) => candidate === kind && !name.includes('/'));
    if (entry === undefined) throw unknownKind(apiVersion, kind, entries);
    const { name: plural, namespaced } = entry;
    return {
      resource: resource({ ...groupVersion(apiVersion), plural, kind, namespaced }),
      hasStatus: entries.some(({ name }) => name === `${plural}/status`),
    };
  }

  #entries(apiVersion: string): Promise<readonly DiscoveryEntry[]> {
    let entries = this.#versions.get(apiVersion);
    if (entries === undefined) {
      entries = this.#discover(apiVersion);
      this.#versions.set(apiVersion, entries);
    }
    return entries;
  }

  async #discover(apiVersion: string): Promise<readonly DiscoveryEntry[]> {
    try {
      const answer = await requestJson(this.#send, 'GET', groupVersionPath(groupVersion(apiVersion)));
      return hasResources(answer) ? answer.resources : [];
    } catch (error) {
      if (isNotFound(error)) return [];
      // Another time it may work: the failure is not what the server has.
      this.#versions.delete(apiVersion);
      throw error;
    }
  }
}

function groupVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const [first = '', second] = apiVersion.split('/');
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
}

function hasResources(answer: unknown): answer is { readonly resources: readonly DiscoveryEntry[] } {
  return typeof answer === 'object' && answer !== null && 'resources' in answer && Array.isArray(answer.resources);
}

function unknownKind(apiVersion: string, kind: string, entries: readonly DiscoveryEntry[]): TypeError {
  const kinds = entries.filter(({ name }) => !name.includes('/')).map((entry) => entry.kind);
  const known = [...new Set(kinds)].toSorted().join(', ');
  return new TypeError(
    known === ''
      ? `the server has no ${JSON.stringify(apiVersion)}, and so no ${kind}; custom types are not served yet`
      : `the server has no kind ${JSON.stringify(kind)} in ${apiVersion}; it has ${known}`,
  );
}
