/** The last steps of a write before it is committed: admission, a reservation, the rules, the review. */

import type { FieldError } from '@listwatch/api';
import { resumableSteps } from '@listwatch/api/internal';
import type { KubeObject } from '@listwatch/rules/internal';
import { type CustomVerdict, finishInTurns, type Steps } from '@listwatch/schema';
import type { ReleaseReservation } from '../contract/reservation.ts';
import type { VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { unlessRefused } from './services/reserving-commit.ts';

/** An object that may be committed, with what is reserved for it. Commit it in the same turn. */
export interface AdmittedObject {
  readonly object: KubeObject;
  readonly release?: ReleaseReservation | undefined;
}

/** What the rules that a client brought say; undefined for a kind without such rules. */
export type Verdict = CustomVerdict | undefined;

/** How one object is admitted. */
export interface AdmissionSteps {
  readonly admit: () => KubeObject;
  /** The rules that a client brought: they take several turns of the event loop. Default: none. */
  readonly judge?: ((object: KubeObject) => Steps<CustomVerdict>) | undefined;
  /** What the rules of the kind say: pure, so that a large object is checked in steps. */
  readonly validate: (object: KubeObject) => readonly FieldError[];
  /** Warns of what the rules of the client say: also when the object is refused. */
  readonly heed: (verdict: CustomVerdict) => void;
  /** Throws the 422 with all errors: those that `validate` has found, and others. */
  readonly check: (object: KubeObject, found: readonly FieldError[], verdict: Verdict) => void;
  /** What is legal but odd: pure, as `validate`. */
  readonly warnings: (object: KubeObject) => readonly string[] | undefined;
  /** Warns, and throws the 403 of admission. */
  readonly review: (object: KubeObject, verdict: Verdict, warnings: readonly string[] | undefined) => void;
}

/**
 * Admits an object: at once when it is small and its kind has no rules that a client brought, so that a Service is committed in the
 * turn that chose its address. Otherwise in several turns, with the address reserved.
 */
export function admitObject(
  { reserve }: Pick<VerbContext, 'reserve'>,
  definition: ResourceDefinition,
  steps: AdmissionSteps,
  { bytes, dryRun }: { readonly bytes: number; readonly dryRun: boolean },
): AdmittedObject | Promise<AdmittedObject> {
  const object = steps.admit();
  // Nobody would release what a dry run reserves.
  const reserved = (): ReleaseReservation | undefined => (dryRun ? undefined : reserve?.(definition, object));
  if (steps.judge === undefined && !isLarge(bytes)) {
    steps.check(object, steps.validate(object), undefined);
    steps.review(object, undefined, steps.warnings(object));
    return { object, release: reserved() };
  }
  const release = reserved();
  return unlessRefused(checkInTurns(steps, object, isLarge(bytes)), release).then(() => ({ object, release }));
}

async function checkInTurns(steps: AdmissionSteps, object: KubeObject, isLong: boolean): Promise<void> {
  const { judge, validate, heed, check, warnings, review } = steps;
  await nextTurn();
  const verdict = judge === undefined ? undefined : await finishInTurns(judge(object), nextTurn);
  if (verdict !== undefined) heed(verdict);
  const found = isLong ? await resumed(() => validate(object)) : validate(object);
  if (isLong) await nextTurn();
  if (isLong) await resumed(() => check(object, found, verdict));
  else check(object, found, verdict);
  await nextTurn();
  review(object, verdict, isLong ? await resumed(() => warnings(object)) : warnings(object));
  await nextTurn();
}

function resumed<T>(work: () => T): Promise<T> {
  return finishInTurns(resumableSteps(work), nextTurn);
}
