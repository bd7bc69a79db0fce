/** One object in a form other than JSON: a Table of one row, its metadata alone, YAML or protobuf. */

import { HEADER, MEDIA_TYPE } from '@listwatch/api';
import { cacheObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectAnswer, ResourceCall } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { encodeObject, messagePlan } from '../stored/object-message.ts';
import { readIncludeObject } from './include-object.ts';
import { indentJson } from './json-layout.ts';
import { metadataMessage, sealed } from './sealed-message.ts';
import { partialMetadata, tableRow } from './watch-form.ts';
import { yamlOfJson } from './yaml-layout.ts';

/** Answers with an object in the form that the call asks for. */
export function objectAnswer(cacheOf: (definition: ResourceDefinition) => ResourceCache): ObjectAnswer {
  return (call, served, { status = 200, headers = {} }) => {
    const contentType = HEADER.contentType.toLowerCase();
    if (call.form.mediaType === MEDIA_TYPE.protobuf) {
      const body = protobufBody(cacheOf(call.definition), call, served);
      return { type: 'bytes', status, headers: { [contentType]: MEDIA_TYPE.protobuf, ...headers }, body };
    }
    const json = transformed(cacheOf(call.definition), call, served);
    const { mediaType, pretty } = call.form;
    const plain = pretty ? indentJson(json) : Buffer.concat([json, Buffer.from('\n')]);
    const body = mediaType === MEDIA_TYPE.yaml ? yamlOfJson(json) : plain;
    return { type: 'bytes', status, headers: { [contentType]: mediaType, ...headers }, body };
  };
}

/** What the cache has is encoded once for all readers; an object that it does not have yet, or no longer, for this one. */
function protobufBody(cache: ResourceCache, { form, path, definition }: ResourceCall, served: Buffer): Buffer {
  const key = definition.resource.namespaced ? `${path.namespace}/${path.name}` : path.name;
  const cached = cache.generation?.get(key);
  const message =
    cached?.bytes.equals(served) === true ? cache.message(cached) : encodeObject(messagePlan(definition), served);
  if (form.as !== 'metadata') return sealed(cache.layout.type, message);
  const type = { apiVersion: `meta.k8s.io/${form.metaVersion}`, kind: 'PartialObjectMetadata' };
  return sealed(type, metadataMessage(message));
}

function transformed(cache: ResourceCache, call: ResourceCall, served: Buffer): Buffer {
  const { form, path, definition } = call;
  if (form.as === 'object') return served;
  const revision = BigInt(/"resourceVersion":"(\d+)"/.exec(served.toString('latin1'))?.[1] ?? '0');
  const key = definition.resource.namespaced ? `${path.namespace}/${path.name}` : path.name;
  const entry = { key: cache.root + key, value: served, modRevision: revision };
  const object = { ...cacheObject(definition, cache.layout, cache.root, entry), bytes: served };
  if (form.as === 'metadata') return partialMetadata(object, form.metaVersion);
  const columns = JSON.stringify(definition.columns.definitions);
  const row = tableRow(cache, object, form.metaVersion, readIncludeObject(call));
  const type = `"kind":"Table","apiVersion":"meta.k8s.io/${form.metaVersion}"`;
  const head = `{${type},"metadata":{"resourceVersion":"${revision}"},"columnDefinitions":${columns},"rows":[`;
  return Buffer.concat([Buffer.from(head), row, Buffer.from(']}')]);
}
