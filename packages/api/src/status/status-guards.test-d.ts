import { expectTypeOf } from 'vitest';
import type { StatusReason } from './status.ts';
import type { StatusError } from './status-error.ts';
import { isConflict } from './status-guards.ts';

declare const error: unknown;

// A guard gives the error its type; the reason is the discriminant and stays open for reasons yet unknown.
if (isConflict(error)) {
  expectTypeOf(error).toEqualTypeOf<StatusError>();
  expectTypeOf(error.reason).toEqualTypeOf<StatusReason>();
}
expectTypeOf<'Conflict'>().toExtend<StatusReason>();
expectTypeOf<'Novelty'>().toExtend<StatusReason>();
