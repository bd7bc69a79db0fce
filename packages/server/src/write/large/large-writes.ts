/** Sends large writes to the worker. */

import { ComputeError, computeFailure } from '../../compute/compute-error.ts';
import type { RunOptions } from '../../compute/compute-pool.ts';
import type { LargeWork, SharedValue, WriteDraft } from '../../contract/large-work.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import type { FormJobInput } from './form-job.ts';
import type { WriteJobInput } from './write-job.ts';

/** The pool, as large writes use it. */
export interface WritePool {
  run(job: 'write', input: WriteJobInput, options: RunOptions): Promise<WriteDraft>;
  run(job: 'form', input: FormJobInput, options: RunOptions): Promise<{ readonly made: Uint8Array }>;
}

/** Encoding an object in another form takes a quarter of the time of a write. */
const FORM_TIMES = 4;

/** The parts that large writes need. */
export interface LargeWritesParts {
  readonly pool: WritePool;
  /** Writes of more bytes, sent and stored, are done in the worker. */
  readonly smallBytes: number;
  /** The stored bytes of the definition of a custom kind; undefined when it is not served any more. */
  readonly definitionOf: (definition: ResourceDefinition) => SharedValue | undefined;
  /** Does it take long to validate an object of a custom kind that has this many bytes? */
  readonly isCostly: (definition: ResourceDefinition, bytes: number) => boolean;
}

/** The large writes of one server. */
export function largeWrites({ pool, smallBytes, definitionOf, isCostly }: LargeWritesParts): LargeWork {
  return {
    takes(definition, bytes) {
      if (definition.custom === undefined) return bytes > smallBytes;
      if (smallBytes === Infinity || definitionOf(definition) === undefined) return false;
      return bytes > smallBytes || isCostly(definition, bytes);
    },
    // YAML needs no kind; the columns of custom kinds are known here alone, and have a budget.
    takesForm: (form, { custom }, bytes) =>
      bytes > FORM_TIMES * smallBytes && (form === 'yaml' || form === 'item' || custom === undefined),
    async form({ resource: { group, version, plural } }, order, { flow, signal }) {
      try {
        const { made } = await pool.run('form', { ...order, resource: { group, version, plural } }, { flow, signal });
        return Buffer.from(made.buffer, made.byteOffset, made.byteLength);
      } catch (error) {
        throw error instanceof ComputeError ? computeFailure(error) : error;
      }
    },
    async draft(definition, attempt, { flow, signal, warn, answer }) {
      const shared = definition.custom === undefined ? undefined : definitionOf(definition);
      const input = { ...attempt, definition: shared?.key };
      try {
        return await pool.run('write', input, {
          flow,
          signal,
          warn,
          asksOthers: true,
          shared: shared === undefined ? [] : [shared],
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the write job asks nothing else
          answer: (question) => answer(question as Parameters<typeof answer>[0]),
        });
      } catch (error) {
        throw error instanceof ComputeError ? computeFailure(error) : error;
      }
    },
  };
}
