/** Makes a part of an answer of a large object in the worker: YAML, a protobuf message, or the cells of a table. */

import { yamlItem, yamlOfJson } from '../../answer/yaml-layout.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ComputeJob } from '../../compute/compute-job.ts';
import type { FormOrder, WriteAttempt } from '../../contract/large-work.ts';
import { encodeJson } from '../../stored/exact-json.ts';
import { encodeObject, messagePlan } from '../../stored/object-message.ts';
import { workerKinds } from './worker-kinds.ts';

/** The input. Custom kinds are brought into YAML only. */
export type FormJobInput = FormOrder & { readonly resource: WriteAttempt['resource'] };

/** The job. */
export const formJob: ComputeJob<FormJobInput, { readonly made: Uint8Array }> = {
  async run({ form, served, now, resource }, job) {
    const bytes = Buffer.from(served.buffer, served.byteOffset, served.byteLength);
    if (form === 'yaml') return { made: yamlOfJson(bytes) };
    if (form === 'item') return { made: yamlItem(bytes) };
    const { definition } = await workerKinds(resource, undefined, job);
    if (form === 'message') return { made: encodeObject(messagePlan(definition), bytes) };
    return { made: Buffer.from(encodeJson(definition.columns.cells(parseObject(bytes), now))) };
  },
};
