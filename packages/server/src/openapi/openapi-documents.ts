/** The OpenAPI documents of a server: made when they are first asked for, and kept packed. Start here. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { recordOf } from '@listwatch/api/values';
import type { KindSchemas } from '@listwatch/kinds/schemas';
import type { OpenApiVersion } from '@listwatch/schema';
import { buildDocument } from './build-document.ts';
import type { EncodeComponent } from './component-job.ts';
import type { DocumentForm } from './document-form.ts';
import { type CustomDocument, customPlan, documentPlans, wholePlan } from './document-plan.ts';
import { encodeDocument } from './encode-document.ts';
import { encodeGnostic } from './gnostic-message.ts';
import { gnosticVersion2 } from './gnostic-v2.ts';
import { gnosticVersion3 } from './gnostic-v3.ts';
import type { DescribedKind } from './kind-paths.ts';
import { mergeVersion2, type RemoteDocument } from './merge-version2.ts';

const pack = promisify<Buffer, Buffer>(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

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
  /** The documents of custom kinds now, by names such as `apis/example.com/v1`: another map after each change. Default: none. */
  readonly custom?: (() => ReadonlyMap<string, CustomDocument>) | undefined;
  /** Makes the components of large definitions in the worker. Default: they are made here, and hold the event loop. */
  readonly elsewhere?: EncodeComponent | undefined;
  /** The documents of backends, for the one of version 2. Default: none. */
  readonly remotes?: (() => Promise<readonly RemoteDocument[]>) | undefined;
}

const VERSION_2 = 'v2';
const NO_DOCUMENTS: ReadonlyMap<string, CustomDocument> = new Map();

/** Makes documents. Each is made once for all that ask at the same time. */
export class OpenApiDocuments {
  readonly #options: OpenApiDocumentsOptions;
  readonly #plans: ReturnType<typeof documentPlans>;
  readonly #maxBytes: number;
  /** The oldest use first. */
  readonly #kept = new Map<string, PackedDocument>();
  readonly #making = new Map<string, Promise<PackedDocument>>();
  readonly #hashes = new Map<string, string>();
  readonly #wholes = new Map<DocumentForm, Promise<PackedDocument>>();
  #index: Promise<Readonly<Record<string, object>>> | undefined;
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

  /** `/openapi/v3`: where each document is, with its hash. Those of built-in kinds are made for it, the first time. `more` are those of backends. */
  async index(more: Readonly<Record<string, object>> = {}): Promise<Buffer> {
    this.#index ??= this.#makeIndex().catch((error: unknown) => {
      this.#index = undefined;
      throw error;
    });
    const builtIn = await this.#index;
    const custom = [...this.#custom].map(([name, { hash }]) => [name, pathOf(name, hash)] as const);
    return Buffer.from(JSON.stringify({ paths: { ...builtIn, ...Object.fromEntries(custom), ...more } }));
  }

  /** Is there a document `/openapi/v3/{name}`? */
  has(name: string): boolean {
    return this.#plans.has(name) || this.#custom.has(name);
  }

  /** `/openapi/v3/{name}`. Throws a RangeError when there is no such document. */
  version3(name: string, form: DocumentForm): Promise<PackedDocument> {
    return this.#document(3, name, form);
  }

  /**
   * `/openapi/v2`. One is made at a time in each form: a document of 1 000 custom kinds takes a second and 60 MB, and there would
   * be as many as requests while definitions change.
   */
  async version2(form: DocumentForm): Promise<PackedDocument> {
    const running = this.#wholes.get(form);
    if (running !== undefined) {
      await running.catch(() => undefined);
      // It began after this request, so it has all that the request may expect.
      const next = this.#wholes.get(form);
      if (next !== undefined) return next;
    }
    const making = this.#whole(form).finally(() => this.#wholes.delete(form));
    this.#wholes.set(form, making);
    return making;
  }

  #whole(form: DocumentForm): Promise<PackedDocument> {
    const { remotes } = this.#options;
    if (remotes === undefined) return this.#document(2, VERSION_2, form);
    return remotes().then((documents) => this.#document(2, VERSION_2, form, documents));
  }

  get #custom(): ReadonlyMap<string, CustomDocument> {
    return this.#options.custom?.() ?? NO_DOCUMENTS;
  }

  async #makeIndex(): Promise<Readonly<Record<string, object>>> {
    const paths: Record<string, object> = {};
    for (const name of this.#plans.keys()) {
      const hash = this.#hashes.get(name) ?? (await this.#document(3, name, 'json')).hash;
      paths[name] = pathOf(name, hash);
    }
    return paths;
  }

  #document(
    version: OpenApiVersion,
    name: string,
    form: DocumentForm,
    remotes: readonly RemoteDocument[] = [],
  ): Promise<PackedDocument> {
    const custom = this.#custom;
    // A document about custom kinds is another one after a change: the old one goes when there is no room for it.
    const state = version === 2 ? stateOf(custom) : (custom.get(name)?.hash ?? '');
    const key = [form, name, state, ...remotes.map(({ hash }) => hash)].join(' ');
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept);
    }
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#make(version, name, form, custom, remotes)
      .then((made) => this.#keep(key, made))
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(
    version: OpenApiVersion,
    name: string,
    form: DocumentForm,
    custom: ReadonlyMap<string, CustomDocument>,
    remotes: readonly RemoteDocument[],
  ): Promise<PackedDocument> {
    const { kinds, schemas, elsewhere } = this.#options;
    const own = custom.get(name);
    const plan =
      version === 2
        ? wholePlan([...this.#plans.values(), ...Array.from(custom.values(), customPlan)])
        : (this.#plans.get(name) ?? (own && customPlan(own)));
    if (plan === undefined) throw new RangeError(`there is no document ${name}`);
    await schemas.loadAll(plan.types);
    const source = { set: schemas.set, kinds: kinds.map(({ data }) => data), elsewhere };
    const document = mergeVersion2(recordOf(await buildDocument(source, plan, version, form)), remotes);
    const digest = createHash('sha512');
    const json = await encodeDocument(document, digest);
    const hash = own?.hash ?? digest.digest('hex').toUpperCase();
    if (this.#plans.has(name)) this.#hashes.set(name, hash);
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

function pathOf(name: string, hash: string): object {
  return { serverRelativeURL: `/openapi/v3/${name}?hash=${hash}` };
}

/** A short name for the state of all custom documents. */
function stateOf(custom: ReadonlyMap<string, CustomDocument>): string {
  if (custom.size === 0) return '';
  const hash = createHash('sha256');
  for (const [name, document] of custom) hash.update(`${name} ${document.hash} `);
  return hash.digest('base64');
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
