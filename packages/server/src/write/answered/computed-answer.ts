/** Answers with an object that was computed and is not stored. */

import { HEADER, MEDIA_TYPE } from '@listwatch/api';
import { canonical } from '@listwatch/schema';
import { indentJson } from '../../answer/json-layout.ts';
import { yamlOfJson } from '../../answer/yaml-layout.ts';
import type { BytesResponse } from '../../contract/api-response.ts';
import type { AnswerOptions, ResourceCall } from '../../contract/verb.ts';
import type { KubeObject, ResourceDefinition } from '../../kinds/resource-definition.ts';
import { encodeJson } from '../../kinds/shapes/exact-json.ts';

/** The object as JSON or YAML, or its metadata alone. A Table of it is refused before. */
export function computedAnswer(
  { form }: ResourceCall,
  kind: ResourceDefinition,
  object: KubeObject,
  { status = 200, headers = {} }: AnswerOptions = {},
): BytesResponse {
  // Without the limit of stored objects: a list of rules may be longer.
  const own = canonical(kind.plan(), object);
  const meta = `meta.k8s.io/${form.metaVersion}`;
  const shown =
    form.as === 'object' ? own : { kind: 'PartialObjectMetadata', apiVersion: meta, metadata: own['metadata'] };
  const json = Buffer.from(encodeJson(shown));
  const plain = form.pretty ? indentJson(json) : Buffer.concat([json, Buffer.from('\n')]);
  const body = form.mediaType === MEDIA_TYPE.yaml ? yamlOfJson(json) : plain;
  return { type: 'bytes', status, headers: { [HEADER.contentType.toLowerCase()]: form.mediaType, ...headers }, body };
}
