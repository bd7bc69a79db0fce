/** Evaluates match conditions that would block the event loop in the worker. */

import { type JsonRecord, recordOf } from '@listwatch/api/values';
import {
  AccessAnswers,
  MatchConditions,
  type MatchVerdict,
  PolicyInput,
  PolicyPrograms,
} from '@listwatch/rules/internal';
import type { ComputeJob } from '../../../compute/compute-job.ts';
import { decodeJson, encodeJson } from '../../../stored/exact-json.ts';

type Check = Parameters<AccessAnswers['ask']>[0];
type AccessVerdict = ReturnType<AccessAnswers['ask']>;

/** The conditions and their input, as plain data. Bytes are JSON. */
export interface ConditionsInput {
  /** The webhook: its `matchConditions`. */
  readonly hook: Uint8Array;
  readonly object: Uint8Array;
  readonly old: Uint8Array;
  readonly request: Uint8Array;
  readonly target: ConstructorParameters<typeof PolicyInput>[0]['target'];
}

/** The only question: may the user do this? */
export interface RightQuestion {
  readonly check: Check;
}

/** Its answer. */
export interface RightAnswer {
  readonly verdict: AccessVerdict;
}

/** The input of the job. */
export function conditionsInput(
  hook: JsonRecord,
  values: { readonly object: unknown; readonly old: unknown; readonly request: JsonRecord },
  target: ConditionsInput['target'],
): ConditionsInput {
  const { object, old, request } = values;
  return { hook: bytesOf(hook), object: bytesOf(object), old: bytesOf(old), request: bytesOf(request), target };
}

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(encodeJson(value ?? null));
}

/** The job. */
export const conditionsJob: ComputeJob<ConditionsInput, MatchVerdict> = {
  async run({ hook, object, old, request, target }, { ask }) {
    const conditions = new MatchConditions(recordOf(decodeJson(hook)), new PolicyPrograms({}));
    const input = new PolicyInput({
      object: objectOf(object),
      oldObject: objectOf(old),
      request: recordOf(decodeJson(request)),
      namespace: null,
      target,
      access: new AccessAnswers(async (check) => {
        const question: RightQuestion = { check };
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller answers this question only
        return ((await ask(question)) as RightAnswer).verdict;
      }),
    });
    return conditions.verdict(input.forConditions(null), { quick: undefined, now: () => 0 });
  },
};

function objectOf(bytes: Uint8Array): JsonRecord | null {
  const value = decodeJson(bytes);
  return value === null ? null : recordOf(value);
}
