/** All of discovery in one document, which clients keep and ask for again by its tag. */

import { createHash } from 'node:crypto';
import type { BytesResponse } from '../contract/api-response.ts';
import type { DiscoveryResource } from './discovery-resource.ts';
import type { ApiGroup, ServedGroupVersion } from './group-versions.ts';

/** The media type of the document: clients know by its parameters that they got what they asked for. */
export const AGGREGATED_MEDIA_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The document and the tag of its content. */
export interface AggregatedDiscovery {
  readonly body: Buffer;
  /** Quoted, as it stands in the headers. */
  readonly etag: string;
}

/** The document for some groups, each as the JSON of `aggregatedGroup`: the core group at `/api`, the others at `/apis`. */
export function aggregatedDiscovery(groups: readonly string[]): AggregatedDiscovery {
  const head = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} };
  const text = `${JSON.stringify(head).slice(0, -1)},"items":[${groups.join(',')}]}`;
  const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
  return { body: Buffer.from(`${text}\n`), etag: `"${hash}"` };
}

/** The answer: 304 without a body when `ifNoneMatch`, the client's tag, is that of the document. */
export function aggregatedResponse(document: AggregatedDiscovery, ifNoneMatch: string | undefined): BytesResponse {
  const headers = { etag: document.etag, vary: 'Accept', 'cache-control': 'public' };
  if (ifNoneMatch === document.etag) return { type: 'bytes', status: 304, headers, body: Buffer.alloc(0) };
  return {
    type: 'bytes',
    status: 200,
    headers: { ...headers, 'content-type': AGGREGATED_MEDIA_TYPE },
    body: document.body,
  };
}

/** One group of the document. */
export function aggregatedGroup({ name, versions }: ApiGroup): unknown {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map(aggregatedVersion),
  };
}

/** One version of a group. */
export function aggregatedVersion({ version, resources }: ServedGroupVersion): unknown {
  return { version, resources: resources.map(resourceOf), freshness: 'Current' };
}

function resourceOf(resource: DiscoveryResource): unknown {
  // A group and a version are named only where they are not those of the list.
  const own = resource.responseKind ?? { group: '', version: '', kind: resource.kind };
  const { shortNames = [], categories = [], subresources = [] } = resource;
  return {
    resource: resource.plural,
    responseKind: own,
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map(({ name, verbs, responseKind }) => ({
            subresource: name,
            responseKind: responseKind ?? own,
            verbs,
          })),
        }),
  };
}
