/** One object in a form other than JSON: a Table of one row, its metadata alone, YAML or protobuf. */

import { HEADER, MEDIA_TYPE } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import { type CachedObject, cacheObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { FormOrder, LargeForms } from '../contract/large-work.ts';
import type { ObjectAnswer, ReadCall } from '../contract/verb.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import { encodeRecord, messagePlan, servedMessage } from '../stored/object-message.ts';
import { readIncludeObject } from './include-object.ts';
import { indentJson } from './json-layout.ts';
import { metadataMessage, sealed } from './sealed-message.ts';
import { partialMetadata, rowCells, rowOfCells } from './watch-form.ts';
import { yamlOfJson } from './yaml-layout.ts';

const CONTENT_TYPE = HEADER.contentType.toLowerCase();

/** Answers with an object in the form that the call asks for. Large objects are brought into it by another thread. */
export function objectAnswer(cacheOf: (definition: ReadKind) => ResourceCache, large: LargeForms): ObjectAnswer {
  return async (call, served, { status = 200, headers = {}, object: known }) => {
    const { form, definition } = call;
    const object = new AnsweredObject(call, cacheOf(definition), served, large);
    const body = form.mediaType === MEDIA_TYPE.protobuf ? await protobufBody(object, known) : await textBody(object);
    return { type: 'bytes', status, headers: { [CONTENT_TYPE]: form.mediaType, ...headers }, body };
  };
}

/** The object of one answer. */
class AnsweredObject {
  readonly call: ReadCall;
  readonly cache: ResourceCache;
  readonly served: Buffer;
  readonly #large: LargeForms;

  constructor(call: ReadCall, cache: ResourceCache, served: Buffer, large: LargeForms) {
    this.call = call;
    this.cache = cache;
    this.served = served;
    this.#large = large;
  }

  get #key(): string {
    const { path, definition } = this.call;
    return definition.resource.namespaced ? `${path.namespace}/${path.name}` : path.name;
  }

  /** What the cache has of it; undefined when the cache has another object. */
  get cached(): CachedObject | undefined {
    const cached = this.cache.generation?.get(this.#key);
    return cached?.bytes.equals(this.served) === true ? cached : undefined;
  }

  /** As the cache would have it. */
  get object(): CachedObject {
    const { cached, cache, call, served } = this;
    if (cached !== undefined) return cached;
    const revision = BigInt(/"resourceVersion":"(\d+)"/.exec(served.toString('latin1'))?.[1] ?? '0');
    const entry = { key: cache.root + this.#key, value: served, modRevision: revision };
    return { ...cacheObject(call.definition, cache.layout, cache.root, entry), bytes: served };
  }

  /** A part of the answer, made by another thread; undefined when the object is small. */
  async made(form: FormOrder['form']): Promise<Buffer | undefined> {
    const { call, cache, served } = this;
    if (!this.#large.takesForm(form, call.definition, served.length)) return undefined;
    return this.#large.form(call.definition, { form, served, now: cache.now() }, call.request);
  }
}

/** What the cache has is encoded once for all readers; an object that it does not have yet, or no longer, for this one. */
async function protobufBody(object: AnsweredObject, known: KubeObject | undefined): Promise<Buffer> {
  const { call, cache, served, cached } = object;
  const { form } = call;
  const message =
    (await object.made('message')) ?? (cached === undefined ? newMessage(cache, served, known) : cache.message(cached));
  if (form.as !== 'metadata') return sealed(cache.layout.type, message);
  const type = { apiVersion: `meta.k8s.io/${form.metaVersion}`, kind: 'PartialObjectMetadata' };
  return sealed(type, metadataMessage(message));
}

function newMessage({ definition, layout }: ResourceCache, served: Buffer, known: KubeObject | undefined): Buffer {
  return known === undefined ? servedMessage(definition, layout, served) : encodeRecord(messagePlan(definition), known);
}

async function textBody(answered: AnsweredObject): Promise<Buffer> {
  const { call, served } = answered;
  const { mediaType, pretty, as } = call.form;
  if (mediaType === MEDIA_TYPE.yaml && as === 'object') return (await answered.made('yaml')) ?? yamlOfJson(served);
  const json = as === 'object' ? served : await transformed(answered);
  if (mediaType === MEDIA_TYPE.yaml) return yamlOfJson(json);
  return pretty ? indentJson(json) : Buffer.concat([json, Buffer.from('\n')]);
}

async function transformed(answered: AnsweredObject): Promise<Buffer> {
  const { call, cache, object } = answered;
  const { form, definition } = call;
  if (form.as === 'metadata') return partialMetadata(cache.layout, object, form.metaVersion);
  const columns = JSON.stringify(definition.columns.definitions);
  const cells = (await answered.made('cells')) ?? rowCells(cache, object);
  const row = rowOfCells(cache.layout, cells, object, { version: form.metaVersion, include: readIncludeObject(call) });
  const type = `"kind":"Table","apiVersion":"meta.k8s.io/${form.metaVersion}"`;
  const head = `{${type},"metadata":{"resourceVersion":"${object.revision}"},"columnDefinitions":${columns},"rows":[`;
  return Buffer.concat([Buffer.from(head), row, Buffer.from(']}')]);
}
