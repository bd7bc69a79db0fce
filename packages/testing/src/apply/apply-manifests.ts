/** Makes the server's objects what the manifests say. */

import { type ApiObject, isAlreadyExists, isConflict, isNotFound, resourcePath } from '@listwatch/api';
import type { FoundKind, KindDirectory } from './kind-directory.ts';
import type { Manifest } from './manifest.ts';
import { requestJson, type Send } from './server-requests.ts';

/** Others may write the same object at the same time; whoever loses this often has met something else. */
const ATTEMPTS_MAX = 10;

/** What is needed beside the manifests. */
export interface ApplyParts {
  readonly send: Send;
  readonly kinds: KindDirectory;
  /** For objects that name none. */
  readonly namespace: string;
}

/** Creates or replaces them, one after the other; resolves to what the server has now. */
export async function applyManifests(parts: ApplyParts, manifests: readonly Manifest[]): Promise<readonly ApiObject[]> {
  const applied: ApiObject[] = [];
  for (const manifest of manifests) {
    const kind = await parts.kinds.find(manifest.apiVersion, manifest.kind);
    const written = await write(parts.send, kind, placed(manifest, kind, parts.namespace));
    applied.push(await writeStatus(parts.send, kind, written, manifest));
  }
  return applied;
}

function placed(manifest: Manifest, { resource }: FoundKind, namespace: string): Manifest {
  const { namespace: own, ...metadata } = manifest.metadata;
  return { ...manifest, metadata: resource.namespaced ? { ...metadata, namespace: own ?? namespace } : metadata };
}

async function write(send: Send, { resource }: FoundKind, manifest: Manifest): Promise<ApiObject> {
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
  { resource, hasStatus }: FoundKind,
  written: ApiObject,
  { status }: Manifest,
): Promise<ApiObject> {
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
