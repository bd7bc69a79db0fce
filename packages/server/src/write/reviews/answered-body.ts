/** Reads the body of a request to an answered endpoint. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { decodeObject } from '../body/decode-object.ts';
import { inRequestNamespace } from '../body/object-identity.ts';
import { readBody } from '../body/request-body.ts';
import { readWriteOptions, type WriteOptions } from '../body/write-options.ts';
import { isLarge, nextTurn } from '../event-loop-turn.ts';

/** What was sent. */
export interface AnsweredBody {
  /** In canonical form, with the defaults of its kind. */
  readonly object: KubeObject;
  readonly warnings: readonly string[];
  readonly options: WriteOptions;
}

/** Decodes the body as an object of `kind` in the namespace of the path. Throws the 400 or 422 for anything else. */
export async function readAnsweredBody(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  optionsKind: 'CreateOptions' | 'UpdateOptions' = 'CreateOptions',
): Promise<AnsweredBody> {
  const body = await readBody(call.request);
  const options = readWriteOptions(optionsKind, call.request.query);
  await kind.load();
  const { object, warnings } = await decodeObject(context.kinds, kind, body, options.fieldValidation);
  if (isLarge(body.bytes.length)) await nextTurn();
  const placed = inRequestNamespace(call, object);
  return { object: kind.strategy.prepareForCreate(placed, context.store.clock.now()), warnings, options };
}
