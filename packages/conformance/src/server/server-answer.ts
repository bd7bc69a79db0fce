/** What a server answered, and the loose shape of the documents in it. */

import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '@listwatch/api/values';

/** Metadata of an object or of a list, as far as tests look into it. */
export interface WireMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Any document of the API: an object, a list, a Table, a Status. */
export interface WireDocument {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: WireMetadata;
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly WireDocument[];
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly [field: string]: unknown;
}

/** A whole answer. */
export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;

  constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString();
  }

  /** The body as JSON. Throws with the body's beginning when it is none. */
  get document(): WireDocument {
    const { text } = this;
    try {
      return parseDocument(text);
    } catch (error) {
      throw new Error(`${this.status} with a body that is no document: ${text.slice(0, 200)}`, { cause: error });
    }
  }

  /** The objects of a list. */
  get items(): readonly WireDocument[] {
    return this.document.items ?? [];
  }

  /** The names of a list's objects, in their order. */
  get names(): readonly string[] {
    return this.items.map(({ metadata }) => metadata.name ?? '');
  }

  /** The resourceVersion of the object or list. */
  get version(): string {
    return this.document.metadata.resourceVersion ?? '';
  }
}

/** Reads a document; one without metadata gets empty metadata. */
export function parseDocument(text: string): WireDocument {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new SyntaxError(`no object: ${text.slice(0, 80)}`);
  return documentOf(value);
}

/** A value that came as JSON, as a document. What it lacks fails in the expectation that looks for it. */
export function documentOf(value: unknown): WireDocument {
  return isRecord(value) ? { metadata: {}, ...value } : { metadata: {}, value };
}
