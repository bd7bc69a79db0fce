/** Which fields of a document its schema does not know, and which are given twice. */

import { quote } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { DecodePlan, ScalarPlan, StructPlan } from './decode-plan.ts';
import { type JsonLevel, pathOf, walkJson } from './json-walk.ts';
import { planBelow } from './plan-below.ts';

/** At most this many are reported, as in Kubernetes. */
const MAX_REPORTED = 100;
/** And no more once they have this many characters: each may repeat a key of a megabyte. */
const MAX_CHARACTERS = 64 * 1024;

/** The complaints about a document, in its order. `repeatingText`: its text, when some object in it has a member twice. */
export function fieldComplaints(
  plan: DecodePlan,
  { value, repeatingText }: { readonly value: unknown; readonly repeatingText: string | undefined },
): readonly string[] {
  return repeatingText === undefined
    ? unknownFieldComplaints(plan, value)
    : fieldComplaintsInOrder(plan, repeatingText);
}

/** The complaints about the unknown fields of a value, in the order of the document; at most 100 of them. */
export function unknownFieldComplaints(plan: DecodePlan, value: unknown): readonly string[] {
  return unknownFieldPaths(plan, value).map(unknownField);
}

/** The paths of the unknown fields of a value, in the order of the document; at most 100 of them. */
export function unknownFieldPaths(plan: DecodePlan, value: unknown): readonly string[] {
  const found: string[] = [];
  collect(plan, value, undefined, found);
  return found;
}

/**
 * The complaints about JSON text, in its order: unknown fields, and fields that are given twice. What stands below an unknown field is
 * not looked at. For text that repeats members: a parsed value has lost them and their order.
 */
function fieldComplaintsInOrder(root: DecodePlan, text: string): readonly string[] {
  const complaints = new Set<string>();
  let characters = 0;
  const complain = (complaint: string): void => {
    complaints.add(complaint);
    characters += complaint.length;
  };
  walkJson<FieldLevel>(text, {
    open: (parent, isObject) => ({
      isObject,
      at: isObject ? '' : 0,
      plan: parent === undefined ? root : checked(checkedBelow(parent)),
      keys: new Set(),
    }),
    member: (levels) => {
      const level = levels.at(-1);
      if (level?.plan === undefined || typeof level.at !== 'string') return true;
      const isRepeated = level.keys.has(level.at);
      level.keys.add(level.at);
      if (isUnknown(level.plan, level.at)) complain(unknownField(pathOf(levels)));
      else if (isRepeated) complain(duplicateField(pathOf(levels)));
      return complaints.size < MAX_REPORTED && characters < MAX_CHARACTERS;
    },
  });
  return [...complaints];
}

interface FieldLevel extends JsonLevel {
  /** Undefined: nothing is checked here, because the object stands below an unknown field or may be anything. */
  readonly plan: DecodePlan | undefined;
  /** The keys so far. */
  readonly keys: Set<string>;
}

function checkedBelow({ plan, at, isObject }: FieldLevel): DecodePlan | undefined {
  // Go decodes a form by itself, and not strictly, as all JSON that it keeps as it is. Only `any` becomes maps and lists.
  if (plan === undefined || plan.is === 'form') return undefined;
  return plan.is === 'scalar' ? anyOnly(plan) : planBelow(plan, at, isObject);
}

/** Below a scalar nothing is checked, unless it is `any`. */
function checked(plan: DecodePlan | undefined): DecodePlan | undefined {
  return plan?.is === 'scalar' ? anyOnly(plan) : plan;
}

function anyOnly(plan: ScalarPlan): DecodePlan | undefined {
  return plan.scalar === 'any' ? plan : undefined;
}

function isUnknown(plan: DecodePlan, name: string): boolean {
  return plan.is === 'struct' && !plan.keepsUnknown && !plan.byName.has(name);
}

function unknownField(field: string): string {
  return `unknown field ${quote(field)}`;
}

function duplicateField(field: string): string {
  return `duplicate field ${quote(field)}`;
}

/** The message of a strict decoder with these complaints. */
export function strictError(complaints: readonly string[]): string {
  return `strict decoding error: ${complaints.join(', ')}`;
}

/** Where a value stands. Its path is put together for a complaint only: every write is checked, and few are at fault. */
interface Step {
  readonly at: string | number;
  readonly above: Step | undefined;
}

/** Recurses no deeper than the schema and the value. */
function collect(plan: DecodePlan, value: unknown, step: Step | undefined, found: string[]): void {
  switch (plan.is) {
    case 'form':
    case 'scalar':
      return;
    case 'list':
      if (holdsNoFields(plan.item) || !Array.isArray(value)) return;
      for (let index = 0; index < value.length && found.length < MAX_REPORTED; index += 1) {
        collect(plan.item, value[index], { at: index, above: step }, found);
      }
      return;
    case 'map':
      if (holdsNoFields(plan.item) || !isRecord(value)) return;
      for (const key of Object.keys(value)) {
        if (found.length >= MAX_REPORTED) return;
        collect(plan.item, value[key], { at: key, above: step }, found);
      }
      return;
    case 'struct':
      if (isRecord(value)) collectFields(plan, value, step, found);
  }
}

function collectFields(
  plan: StructPlan,
  value: Readonly<Record<string, unknown>>,
  step: Step | undefined,
  found: string[],
): void {
  const { byName, keepsUnknown } = plan;
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_REPORTED) return;
    const field = byName.get(name);
    if (field !== undefined) {
      if (!holdsNoFields(field.plan)) collect(field.plan, value[name], { at: name, above: step }, found);
    } else if (!keepsUnknown) found.push(pathOf(stepsTo({ at: name, above: step })));
  }
}

function holdsNoFields({ is }: DecodePlan): boolean {
  return is === 'scalar' || is === 'form';
}

/** From the top to the place. */
function stepsTo(step: Step): readonly Step[] {
  const steps: Step[] = [];
  for (let here: Step | undefined = step; here !== undefined; here = here.above) steps.push(here);
  return steps.toReversed();
}
