/** Makes the server's objects what the manifests say. */

import { type ApiObject, isAlreadyExists, isConflict, isNotFound, resourcePath } from '@listwatch/api';
import { createLoopbackTransport, type RestMapper, restMapper, type ServedResource } from '@listwatch/client';
import type { Manifest } from '@listwatch/client/internal';
import { requestJson, type Send } from './server-requests.ts';

/** Others may write the same object at the same time; whoever loses this often has met something else. */
const ATTEMPTS_MAX = 10;

/** What is needed beside the manifests. */
export interface ApplyParts {
  readonly send: Send;
  readonly kinds: RestMapper;
  /** For objects that name none. */
  readonly namespace: string;
}

/** Creates or replaces them, one after the other; resolves to what the server has now. */
export async function applyManifests(parts: ApplyParts, manifests: readonly Manifest[]): Promise<readonly ApiObject[]> {
  const applied: ApiObject[] = [];
  for (const manifest of manifests) {
    const resource = await parts.kinds.kind(manifest.apiVersion, manifest.kind);
    const written = await write(parts.send, resource, placed(manifest, resource, parts.namespace));
    applied.push(await writeStatus(parts.send, resource, written, manifest));
  }
  return applied;
}

/** Looks kinds up. In a test a new kind must be found at once, and time may stand still. */
export function kindsOf(send: Send): RestMapper {
  return restMapper({ transport: createLoopbackTransport({ handle: send }) }, { refreshIntervalMs: 0 });
}

function placed(manifest: Manifest, resource: ServedResource, namespace: string): Manifest {
  const { namespace: own, ...metadata } = manifest.metadata;
  return { ...manifest, metadata: resource.namespaced ? { ...metadata, namespace: own ?? namespace } : metadata };
}

async function write(send: Send, resource: ServedResource, manifest: Manifest): Promise<ApiObject> {
  const { name, namespace } = manifest.metadata;
  const collection = resourcePath(resource, { namespace });
  if (name === undefined) return asObject(await requestJson(send, 'POST', collection, manifest));
  const path = resourcePath(resource, { namespace, name });
  for (let attempt = 1; ; attempt++) {
    try {
      const current = await existing(send, path);
      if (current === undefined) return asObject(await requestJson(send, 'POST', collection, manifest));
      return asObject(await requestJson(send, 'PUT', path, successor(manifest, current)));
    } catch (error) {
      const wasSlower = isConflict(error) || isAlreadyExists(error);
      // A version that the manifest itself asks for is not ours to change.
      if (!wasSlower || attempt === ATTEMPTS_MAX || manifest.metadata.resourceVersion !== undefined) throw error;
    }
  }
}

async function existing(send: Send, path: string): Promise<ApiObject | undefined> {
  try {
    return asObject(await requestJson(send, 'GET', path));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function successor(manifest: Manifest, { metadata: { resourceVersion } }: ApiObject): object {
  return { ...manifest, metadata: { resourceVersion, ...manifest.metadata } };
}

/** A status is written on its own path; on the others the server leaves it out. */
async function writeStatus(
  send: Send,
  resource: ServedResource,
  written: ApiObject,
  { status }: Manifest,
): Promise<ApiObject> {
  const hasStatus = resource.subresources.some(({ name }) => name === 'status');
  if (status === undefined || !hasStatus) return written;
  const { name, namespace } = written.metadata;
  const path = resourcePath(resource, { namespace, name, subresource: 'status' });
  return asObject(await requestJson(send, 'PUT', path, { ...written, status }));
}

function asObject(value: unknown): ApiObject {
  if (!isObject(value)) throw new TypeError(`the server answered with no object: ${JSON.stringify(value)}`);
  return value;
}

function isObject(value: unknown): value is ApiObject {
  return typeof value === 'object' && value !== null && 'metadata' in value;
}
