/** Reads the body of a request to a virtual endpoint. */

import { inRequestNamespace, type KubeObject } from '@listwatch/rules/internal';
import { addWarnings } from '../../answer/warning-header.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { admitVirtual } from '../admission/dynamic/admit-virtual.ts';
import { decodeObject } from '../body/decode-object.ts';
import { noteSentObject } from '../body/noted-object.ts';
import { readBody } from '../body/request-body.ts';
import { readWriteOptions, type WriteOptions } from '../body/write-options.ts';

/** The object and the options of the request. */
export interface VirtualRequest {
  /** In canonical form, with the defaults of its kind. */
  readonly object: KubeObject;
  readonly options: WriteOptions;
}

/** Reads a review, and runs policies and webhooks on it. */
export async function readReview(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
): Promise<VirtualRequest> {
  const read = await readVirtualRequest(context, call, kind);
  return { ...read, object: await admitVirtual(context, call, kind, read) };
}

/**
 * Decodes the body as an object of `kind` in the namespace of the path. Throws the 400 or 422 for anything else. Warns of what is
 * dropped, whatever is answered.
 */
export async function readVirtualRequest(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  optionsKind: 'CreateOptions' | 'UpdateOptions' = 'CreateOptions',
): Promise<VirtualRequest> {
  const body = await readBody(call.request);
  const options = readWriteOptions(optionsKind, call.request.query);
  await kind.load();
  const { object, warnings } = await decodeObject(context.kinds, kind, body, options.fieldValidation);
  addWarnings(call, warnings);
  const { audit } = call.request;
  if (audit !== undefined) {
    await noteSentObject(audit, kind, { object, now: context.store.clock.now() });
  }
  const placed = inRequestNamespace(call, object);
  return { object: kind.strategy.prepareForCreate(placed, context.store.clock.now()), options };
}
