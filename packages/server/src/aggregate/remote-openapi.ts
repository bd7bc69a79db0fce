/** The OpenAPI documents of backends: where their version 3 is, and their version 2 for the one document of all. */

import { createHash } from 'node:crypto';
import { monotonicMs } from '@listwatch/api/internal';
import { isRecord, type JsonRecord, recordOf } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import type { RemoteDocument } from '../openapi/merge-version2.ts';
import type { RemoteApiService } from './api-service-view.ts';
import type { ReadBackend } from './remote-discovery.ts';
import { version3Document } from './version3-document.ts';

const MAX_INDEX_BYTES = 1024 * 1024;
/** A larger one is left out: it would be parsed in one stretch of work. */
const MAX_VERSION2_BYTES = 2 * 1024 * 1024;
const FRESH_MS = 60_000;
const ROOT = '/openapi/v3/';

export interface RemoteOpenApiParts {
  readonly clock: Clock;
  readonly read: ReadBackend;
  /** In the order in which their documents are merged. */
  readonly available: () => readonly RemoteApiService[];
}

interface Version2 extends RemoteDocument {
  readonly etag: string | undefined;
  readonly at: number;
}

export class RemoteOpenApi {
  readonly #parts: RemoteOpenApiParts;
  /** By the name of the APIService: its entry in `/openapi/v3`. */
  readonly #entries = new Map<string, readonly [string, JsonRecord]>();
  readonly #version2 = new Map<string, Version2>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #converted = new Map<string, Buffer>();

  constructor(parts: RemoteOpenApiParts) {
    this.#parts = parts;
  }

  /** The entries of backends in `/openapi/v3`. */
  get index(): Readonly<Record<string, object>> {
    return Object.fromEntries(this.#entries.values());
  }

  has(name: string): boolean {
    for (const [known] of this.#entries.values()) if (known === name) return true;
    return false;
  }

  forget(name: string): void {
    this.#entries.delete(name);
    this.#version2.delete(name);
    this.#converted.delete(name);
  }

  /** Reads the index of a backend. One without OpenAPI has no entry. Rejects with a `BackendError`. */
  async refresh(service: RemoteApiService, isCurrent: () => boolean): Promise<void> {
    const { name, group, version } = service;
    const user = 'system:aggregator';
    const document = await this.#parts.read(service, { path: '/openapi/v3', user, maxBytes: MAX_INDEX_BYTES });
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    const { serverRelativeURL } =
      document.status === 200 ? recordOf(recordOf(parsed(document.body)['paths'])[path]) : {};
    if (document.status === 404) await this.#readOnce(service);
    if (!isCurrent()) return;
    this.#converted.delete(name);
    // A backend names its own documents and no others.
    if (typeof serverRelativeURL === 'string' && serverRelativeURL.startsWith(ROOT)) {
      this.#entries.set(name, [path, { serverRelativeURL }]);
      return;
    }
    const older = this.#version2.get(name);
    if (document.status !== 404 || older === undefined || older.hash === '') {
      this.#entries.delete(name);
      return;
    }
    this.#converted.set(name, Buffer.from(JSON.stringify(version3Document(older))));
    this.#entries.set(name, [path, { serverRelativeURL: `${ROOT}${path}?hash=${older.hash.toUpperCase()}` }]);
  }

  /** The document of a backend that has version 2 alone, as version 3. */
  converted(name: string): Buffer | undefined {
    return this.#converted.get(name);
  }

  /** The documents of version 2. The first who asks waits for the backends, 5 s at most; later they are refreshed behind the scenes. */
  async version2(): Promise<readonly RemoteDocument[]> {
    const services = this.#parts.available();
    const now = monotonicMs(this.#parts.clock);
    const waits = services.flatMap((service) => {
      const known = this.#version2.get(service.name);
      if (known !== undefined && now - known.at < FRESH_MS) return [];
      const reading = this.#readOnce(service);
      return known === undefined ? [reading] : [];
    });
    await Promise.all(waits);
    return services.flatMap(({ name }) => {
      const known = this.#version2.get(name);
      return known === undefined || known.hash === '' ? [] : [known];
    });
  }

  #readOnce(service: RemoteApiService): Promise<void> {
    const { name } = service;
    const known = this.#reading.get(name) ?? this.#readVersion2(service).finally(() => this.#reading.delete(name));
    this.#reading.set(name, known);
    return known;
  }

  async #readVersion2(service: RemoteApiService): Promise<void> {
    const { name, group, version } = service;
    const { clock, read } = this.#parts;
    const known = this.#version2.get(name);
    const prefix = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
    const none: Version2 = { hash: '', prefix, document: {}, etag: undefined, at: monotonicMs(clock) };
    try {
      const request = { path: '/openapi/v2', user: 'system:aggregator', accept: 'application/json' } as const;
      const document = await read(service, { ...request, etag: known?.etag, maxBytes: MAX_VERSION2_BYTES });
      if (document.status === 304 && known !== undefined)
        this.#version2.set(name, { ...known, at: monotonicMs(clock) });
      else if (document.status !== 200) this.#version2.set(name, none);
      else {
        const hash = createHash('sha256').update(document.body).digest('hex');
        const { etag } = document;
        this.#version2.set(name, { hash, prefix, document: parsed(document.body), etag, at: monotonicMs(clock) });
      }
    } catch {
      // It is asked again later; what was known stays.
      this.#version2.set(name, known === undefined ? none : { ...known, at: monotonicMs(clock) });
    }
  }
}

function parsed(body: Buffer): JsonRecord {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
