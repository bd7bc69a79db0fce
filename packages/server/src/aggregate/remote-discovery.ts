/** What backends serve: asked for after each passed check, at most once a minute, and kept while they are down. */

import { isRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { AGGREGATED_MEDIA_TYPE } from '../discovery/aggregated-discovery.ts';
import type { RemoteApiService } from './api-service-view.ts';
import { discoveryPath } from './availability.ts';
import type { BackendDocument, DocumentRequest } from './backend-document.ts';
import { discoveredResources } from './discovered-resources.ts';
import { aggregatedResources } from './legacy-resources.ts';

const OLDER_MEDIA_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const MAX_BYTES = 1024 * 1024;

/** Reads a document of a backend. */
export type ReadBackend = (service: RemoteApiService, request: DocumentRequest) => Promise<BackendDocument>;

interface KnownResources {
  /** JSON of the list of resources. */
  readonly resources: string;
  readonly etag: string | undefined;
}

export class RemoteDiscovery {
  readonly #read: ReadBackend;
  readonly #known = new Map<string, KnownResources>();
  /** Raised by each change. */
  revision = 0;

  constructor(read: ReadBackend) {
    this.#read = read;
  }

  /** JSON of the resources of a version as they were last known; undefined: it was never reached. */
  resources(name: string): string | undefined {
    return this.#known.get(name)?.resources;
  }

  forget(name: string): void {
    if (this.#known.delete(name)) this.revision += 1;
  }

  /** Asks the backend. What it says is dropped when the APIService is no longer current by then. Rejects with a `BackendError`. */
  async refresh(service: RemoteApiService, isCurrent: () => boolean): Promise<void> {
    const known = this.#known.get(service.name);
    const next = (await this.#aggregated(service, known)) ?? (await this.#legacy(service));
    if (next === undefined || next === known || !isCurrent()) return;
    this.#known.set(service.name, next);
    if (next.resources !== known?.resources) this.revision += 1;
  }

  /** Undefined: the backend does not know this form, or does not list the version in it. */
  async #aggregated(service: RemoteApiService, known: KnownResources | undefined): Promise<KnownResources | undefined> {
    const { group, version } = service;
    if (group === '') return undefined;
    const accept = `${AGGREGATED_MEDIA_TYPE},${OLDER_MEDIA_TYPE}`;
    const etag = known?.etag;
    const user = 'system:kube-aggregator';
    const document = await this.#read(service, { path: '/apis', user, accept, etag, maxBytes: MAX_BYTES });
    if (document.status === 304) return known;
    if (document.status !== 200 || !document.contentType.includes('as=APIGroupDiscoveryList')) return undefined;
    const found = recordsOf(parsed(document.body)['items']).find(
      ({ metadata }) => textOf(recordOf(metadata)['name']) === group,
    );
    const own = recordsOf(found?.['versions']).find((one) => textOf(one['version']) === version);
    return own && { resources: JSON.stringify(discoveredResources(own['resources'])), etag: document.etag };
  }

  async #legacy(service: RemoteApiService): Promise<KnownResources | undefined> {
    const user = 'system:kube-aggregator';
    const document = await this.#read(service, { path: discoveryPath(service), user, maxBytes: MAX_BYTES });
    if (document.status !== 200) return undefined;
    return {
      resources: JSON.stringify(discoveredResources(aggregatedResources(parsed(document.body)))),
      etag: undefined,
    };
  }
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
