/** Reads the body and the options of a create or an update. */

import { genericFailure } from '@listwatch/api';
import { requireCreatable } from '@listwatch/rules/internal';
import { readBody } from './body/request-body.ts';
import { readWriteOptions } from './body/write-options.ts';
import type { Write } from './write.ts';

/**
 * Throws the 404 or 405 for a path that takes no POST, the 415 for an unknown media type, the 422 for invalid options.
 */
export async function read(write: Write): Promise<undefined> {
  const { definition, request, path } = write.call;
  const { isCreate = false } = write.plan;
  if (isCreate) {
    if (path.subresource !== '') throw genericFailure(404);
    if (definition.resource.namespaced && path.namespace === '') throw genericFailure(405);
    requireCreatable(definition, path.name);
  }
  write.body = await readBody(request);
  write.bytes = write.body.bytes.length;
  write.options = readWriteOptions(isCreate ? 'CreateOptions' : 'UpdateOptions', request.query);
}
