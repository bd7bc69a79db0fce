/** Answers with an object that was computed and is not stored. */

import { apiVersionOf, HEADER, MEDIA_TYPE } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { canonical } from '@listwatch/schema';
import { readIncludeObject } from '../../answer/include-object.ts';
import { indentJson } from '../../answer/json-layout.ts';
import { metadataMessage, sealed } from '../../answer/sealed-message.ts';
import { yamlOfJson } from '../../answer/yaml-layout.ts';
import type { BytesResponse } from '../../contract/api-response.ts';
import type { AnswerOptions, ResourceCall } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { encodeJson } from '../../stored/exact-json.ts';
import { encodeRecord } from '../../stored/object-message.ts';

/** The object as JSON, YAML or protobuf, its metadata alone, or a Table of it where its kind has one. `now` is for ages. */
export function computedAnswer(
  call: ResourceCall,
  kind: ResourceDefinition,
  object: KubeObject,
  { status = 200, headers = {}, now = 0 }: AnswerOptions & { readonly now?: number } = {},
): BytesResponse {
  const { form } = call;
  // Without the limit of stored objects: a list of rules may be longer.
  const own = canonical(kind.plan(), object);
  const contentType = { [HEADER.contentType.toLowerCase()]: form.mediaType };
  if (form.mediaType === MEDIA_TYPE.protobuf) {
    return { type: 'bytes', status, headers: { ...contentType, ...headers }, body: messageOf(call, kind, own) };
  }
  const shown =
    form.as === 'object' ? own : form.as === 'table' ? tableOf(call, kind, object, now) : metadataOf(call, own);
  const json = Buffer.from(encodeJson(shown));
  const plain = form.pretty ? indentJson(json) : Buffer.concat([json, Buffer.from('\n')]);
  const body = form.mediaType === MEDIA_TYPE.yaml ? yamlOfJson(json) : plain;
  return { type: 'bytes', status, headers: { ...contentType, ...headers }, body };
}

/** Tables have no protobuf: the negotiation never leads here for one. */
function messageOf({ form }: ResourceCall, { schemas, data, resource }: ResourceDefinition, own: JsonRecord): Buffer {
  const message = encodeRecord(schemas.message(data.type), own);
  return form.as === 'object'
    ? sealed({ apiVersion: apiVersionOf(resource), kind: resource.kind }, message)
    : sealed(
        { apiVersion: `meta.k8s.io/${form.metaVersion}`, kind: 'PartialObjectMetadata' },
        metadataMessage(message),
      );
}

function metadataOf({ form }: ResourceCall, own: JsonRecord): JsonRecord {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${form.metaVersion}`, metadata: own['metadata'] };
}

function tableOf(call: ResourceCall, { columns }: ResourceDefinition, object: KubeObject, now: number): JsonRecord {
  const { form } = call;
  const include = readIncludeObject(call);
  const shown = { None: null, Metadata: metadataOf(call, object), Object: object }[include];
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${form.metaVersion}`,
    metadata: { resourceVersion: object.metadata.resourceVersion },
    columnDefinitions: columns.definitions,
    rows: [{ cells: columns.cells(object, now), object: shown }],
  };
}
