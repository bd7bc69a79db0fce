/** Notes which rights the requests of a program need. */

import { groupKindText, parseRequestPath, type Resource, type ResourceRequestPath, requestVerb } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { Transport, TransportDecorator, TransportRequest, TransportResponse } from '@listwatch/client';
import type { UsedRight, UsedRights } from './used-right.ts';

/** A program of many namespaces must not fill the memory: what comes after so many is left out, and counted. */
const RIGHTS_MAX = 5000;
/** More names of one resource than this are no fixed names. */
const NAMES_MAX = 20;
/** What the role system:discovery gives to everybody. */
const PUBLIC = /^\/(?:api|apis|healthz|livez|readyz|openapi|version)(?:\/|$)/u;
/** A WebSocket to these is a GET that Kubernetes 1.35 and later want the right to create for, too. */
const STREAMS: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward']);
const BY_NAME = /^metadata\.name==?([^,=]+)$/u;

interface Noted extends Omit<UsedRight, 'names'> {
  /** Undefined: there are requests without a name, or too many names. */
  names: Set<string> | undefined;
}

/** Put `decorate` around a transport. */
export class RightsRecorder {
  readonly #rights = new Map<string, Noted>();
  readonly #paths = new Set<string>();
  readonly #resources = new Map<string, Resource>();
  #leftOut = 0;

  /** Requests that were not noted, because there were too many different ones. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Tells of a resource, whose objects may own others. */
  know(resource: Resource): void {
    this.#resources.set(groupKindText(resource), resource);
  }

  readonly decorate: TransportDecorator = (next) => {
    const close = (): Promise<void> => next.close();
    return {
      get name() {
        return next.name;
      },
      send: (request) => this.#send(next, request),
      close,
      [Symbol.asyncDispose]: close,
    };
  };

  /** All that was noted, sorted. */
  used(): UsedRights {
    const rights = [...this.#rights.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { names, ...right }]) => (names === undefined ? right : { ...right, names: [...names].toSorted() }));
    return { rights, paths: [...this.#paths].toSorted() };
  }

  async #send(next: Transport, request: TransportRequest): Promise<TransportResponse> {
    const [path = '', query = ''] = request.path.split('?', 2);
    const parsed = parseRequestPath(path);
    if (parsed.type === 'other') this.#notePath(path);
    if (parsed.type !== 'resource') return next.send(request);
    const parameters = new URLSearchParams(query);
    const watch = parameters.get('watch');
    const verb = requestVerb(request.method, parsed, watch === 'true' || watch === '1');
    // Noted before it is sent: a refused request needs its right all the more.
    if (verb !== undefined) this.#note(verb, parsed, nameIn(parsed, parameters));
    // Servers that cannot stream the first state are asked for a list instead.
    if (verb === 'watch' && parameters.get('sendInitialEvents') === 'true') {
      this.#note('list', parsed, nameIn(parsed, parameters));
    }
    if (request.upgrade !== undefined && STREAMS.has(parsed.subresource)) this.#note('create', parsed, parsed.name);
    if (request.body !== undefined && request.method !== 'DELETE') this.#noteOwners(request.body, parsed);
    const response = await next.send(request);
    // A PUT or an apply that made the object.
    if (response.status === 201 && verb !== 'create') this.#note('create', parsed, '');
    return response;
  }

  #notePath(path: string): void {
    if (PUBLIC.test(path) || this.#paths.has(path)) return;
    if (this.#paths.size < RIGHTS_MAX) this.#paths.add(path);
    else this.#leftOut += 1;
  }

  #note(verb: string, path: ResourceRequestPath, name: string): void {
    const { group, subresource } = path;
    const resource = subresource === '' ? path.resource : `${path.resource}/${subresource}`;
    this.#add({ verb, group, resource, ...(path.belowNamespace ? { namespace: path.namespace } : {}) }, name);
  }

  #add(right: Omit<UsedRight, 'names'>, name: string): void {
    const key = [right.group, right.resource, right.namespace ?? '', right.verb].join(' ');
    const noted = this.#rights.get(key);
    if (noted === undefined) {
      if (this.#rights.size < RIGHTS_MAX)
        this.#rights.set(key, { ...right, names: name === '' ? undefined : new Set([name]) });
      else this.#leftOut += 1;
      return;
    }
    if (noted.names === undefined) return;
    if (name === '') noted.names = undefined;
    else if (noted.names.add(name).size > NAMES_MAX) noted.names = undefined;
  }

  /** Some clusters want the right to set finalizers of an owner from whoever can block its deletion by a reference. */
  #noteOwners(body: Uint8Array, { belowNamespace, namespace }: ResourceRequestPath): void {
    for (const { apiVersion, kind } of blockedOwners(body)) {
      const slash = apiVersion.indexOf('/');
      const group = slash < 0 ? '' : apiVersion.slice(0, slash);
      const owner = this.#resources.get(groupKindText({ group, kind }));
      if (owner === undefined) continue;
      const place = owner.namespaced && belowNamespace ? { namespace } : {};
      this.#add({ verb: 'update', group, resource: `${owner.plural}/finalizers`, ...place }, '');
    }
  }
}

function nameIn({ name }: ResourceRequestPath, parameters: URLSearchParams): string {
  if (name !== '') return name;
  const [, selected = ''] = BY_NAME.exec(parameters.get('fieldSelector') ?? '') ?? [];
  return selected;
}

interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

function blockedOwners(body: Uint8Array): readonly OwnerKind[] {
  const metadata = metadataOf(body);
  const references = isRecord(metadata) ? metadata['ownerReferences'] : undefined;
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference: unknown) => {
    if (!isRecord(reference) || reference['blockOwnerDeletion'] !== true) return [];
    const { apiVersion, kind } = reference;
    return typeof apiVersion === 'string' && typeof kind === 'string' ? [{ apiVersion, kind }] : [];
  });
}

/** Undefined for a body that is not an object in JSON, such as a JSON patch. */
function metadataOf(body: Uint8Array): unknown {
  try {
    const object: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return isRecord(object) ? object['metadata'] : undefined;
  } catch {
    return undefined;
  }
}
