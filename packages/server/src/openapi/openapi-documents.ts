/** The OpenAPI documents of a server: made when they are first asked for, and kept packed. Start here. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OpenApiVersion } from '@listwatch/schema';
import type { KindSchemas } from '../kinds/kind-schemas.ts';
import { buildDocument } from './build-document.ts';
import { documentPlans, wholePlan } from './document-plan.ts';
import { encodeDocument } from './encode-document.ts';
import { encodeGnostic } from './gnostic-message.ts';
import { gnosticVersion2 } from './gnostic-v2.ts';
import { gnosticVersion3 } from './gnostic-v3.ts';
import type { DescribedKind } from './kind-paths.ts';

const pack = promisify<Buffer, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

/** The form of a document: JSON, or the messages of gnostic, which Go clients read. */
export type DocumentForm = 'json' | 'protobuf';

/** A document in one form. */
export interface PackedDocument {
  /** SHA-512 of its JSON, in hexadecimal capitals: the same for all forms. */
  readonly hash: string;
  /** gzip. */
  readonly packed: Buffer;
  readonly plain: () => Promise<Buffer>;
}

/** What the documents describe. */
export interface OpenApiDocumentsOptions {
  readonly kinds: readonly DescribedKind[];
  readonly schemas: Pick<KindSchemas, 'loadAll' | 'set'>;
  /** The size of packed documents that are kept; those that were not used for the longest time are made again. */
  readonly maxBytes: number;
}

const VERSION_2 = 'v2';

/** Makes documents. Each is made once for all that ask at the same time. */
export class OpenApiDocuments {
  readonly #options: OpenApiDocumentsOptions;
  readonly #plans: ReturnType<typeof documentPlans>;
  readonly #maxBytes: number;
  /** The oldest use first. */
  readonly #kept = new Map<string, PackedDocument>();
  readonly #making = new Map<string, Promise<PackedDocument>>();
  readonly #hashes = new Map<string, string>();
  #index: Promise<Buffer> | undefined;
  #bytes = 0;

  constructor(options: OpenApiDocumentsOptions) {
    this.#options = options;
    this.#plans = documentPlans(options.kinds);
    this.#maxBytes = options.maxBytes;
  }

  /** The size of the documents that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `/openapi/v3`: where each document is, with its hash. All of them are made for it, the first time. */
  index(): Promise<Buffer> {
    this.#index ??= this.#makeIndex().catch((error: unknown) => {
      this.#index = undefined;
      throw error;
    });
    return this.#index;
  }

  /** Is there a document `/openapi/v3/{name}`? */
  has(name: string): boolean {
    return this.#plans.has(name);
  }

  /** `/openapi/v3/{name}`. Throws a RangeError when there is no such document. */
  version3(name: string, form: DocumentForm): Promise<PackedDocument> {
    return this.#document(3, name, form);
  }

  /** `/openapi/v2`. */
  version2(form: DocumentForm): Promise<PackedDocument> {
    return this.#document(2, VERSION_2, form);
  }

  async #makeIndex(): Promise<Buffer> {
    const paths: Record<string, object> = {};
    for (const name of this.#plans.keys()) {
      const hash = this.#hashes.get(name) ?? (await this.#document(3, name, 'json')).hash;
      paths[name] = { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
    }
    return Buffer.from(JSON.stringify({ paths }));
  }

  #document(version: OpenApiVersion, name: string, form: DocumentForm): Promise<PackedDocument> {
    const key = `${form} ${name}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept);
    }
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#make(version, name, form)
      .then((made) => this.#keep(key, made))
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(version: OpenApiVersion, name: string, form: DocumentForm): Promise<PackedDocument> {
    const { kinds, schemas } = this.#options;
    const plan = version === 2 ? wholePlan(this.#plans) : this.#plans.get(name);
    if (plan === undefined) throw new RangeError(`there is no document ${name}`);
    await schemas.loadAll(plan.types);
    const source = { set: schemas.set, kinds: kinds.map(({ data }) => data) };
    const document = await buildDocument(source, plan, version);
    const json = await encodeDocument(document);
    const hash = this.#hashes.get(name) ?? createHash('sha512').update(json).digest('hex').toUpperCase();
    this.#hashes.set(name, hash);
    const messages = version === 2 ? gnosticVersion2 : gnosticVersion3;
    const body = form === 'json' ? json : await encodeGnostic(messages, document);
    const packed = await pack(body);
    return { hash, packed, plain: shared(() => unpack(packed)) };
  }

  #keep(key: string, made: PackedDocument): PackedDocument {
    this.#kept.set(key, made);
    this.#bytes += made.packed.length;
    for (const [oldest, { packed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= packed.length;
    }
    return made;
  }
}

/** What several ask for at the same time, or while somebody still has it, is made once. */
function shared(make: () => Promise<Buffer>): () => Promise<Buffer> {
  let last: WeakRef<Buffer> | undefined;
  let making: Promise<Buffer> | undefined;
  const remember = (made: Buffer): Buffer => {
    last = new WeakRef(made);
    return made;
  };
  return async () => {
    const known = last?.deref();
    if (known !== undefined) return known;
    making ??= make()
      .then(remember)
      .finally(() => {
        making = undefined;
      });
    return making;
  };
}
