/** Sequences of writes that Kubernetes' field manager has answered, and what ours makes of them. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import {
  ApplyTypes,
  applyConfiguration,
  FieldSet,
  fieldPath,
  type OwnershipContext,
  OwnershipError,
  readFields,
  SchemaSet,
  type StructSchema,
  trackUpdate,
} from '@listwatch/schema';

type Json = Readonly<Record<string, unknown>>;

/** One line of `cases.jsonl`: what the program beside it prints. */
export interface Sequence {
  readonly schemas: readonly StructSchema[];
  readonly steps: readonly Step[];
}

/** One write, and the answer of Kubernetes. */
export interface Step {
  readonly does: 'apply' | 'update';
  readonly schema?: number;
  readonly version: 'v1' | 'v2';
  readonly subresource?: string;
  readonly manager: string;
  readonly force?: boolean;
  readonly sent: Json;
  readonly result?: Json;
  readonly error?: string;
  readonly conflict?: string;
  readonly causes?: readonly string[];
}

/** FieldsV1 as a client may send it, and as Kubernetes prints it. */
export interface PrintedFields {
  readonly fields: unknown;
  readonly printed?: string;
  readonly fails?: boolean;
}

/** A line is one or the other. */
export function isSequence(line: PrintedFields | Sequence): line is Sequence {
  return 'steps' in line;
}

/** Whether ours reads and prints the fields as Kubernetes does, in the same order. */
export function printsAlike({ fields, printed, fails }: PrintedFields): boolean {
  const set = readFields(fields);
  if (set === undefined || printed === undefined) return (fails ?? false) === (set === undefined);
  return JSON.stringify(set.print()) === JSON.stringify(JSON.parse(printed));
}

/** What became of a step, in the form of its answer. */
export type Outcome = Pick<Step, 'causes' | 'conflict' | 'error' | 'result'>;

/** Our outcome of each step. Every step starts from what Kubernetes stored before it. */
export function outcomes({ schemas, steps }: Sequence): Outcome[] {
  const types = schemas.map(typesOf);
  let live: Json | undefined;
  return steps.map((step, index) => {
    const outcome = solve(step, contextOf(step, types[step.schema ?? 0] ?? new Map(), index), live);
    if (step.result !== undefined) live = step.result;
    return outcome;
  });
}

/** The answer of Kubernetes, without what was asked. */
export function expected({ result, error, conflict, causes }: Step): Outcome {
  if (error !== undefined) return { error };
  return conflict === undefined ? { result: result ?? {} } : { conflict, causes: causes ?? [] };
}

type Types = ReadonlyMap<string, ReturnType<ApplyTypes['type']>>;

function typesOf(root: StructSchema): Types {
  const types = new ApplyTypes(new SchemaSet());
  return new Map(['v1', 'v2'].map((version) => [`x.io/${version}`, types.type(inVersion(root, version))]));
}

/** `spec.r1` of v1 is `spec.r2` of v2. */
function inVersion(root: StructSchema, version: string): StructSchema {
  const { spec } = root.fields;
  if (spec === undefined || !('fields' in spec)) return root;
  const fields = Object.fromEntries(
    Object.entries(spec.fields).map(([name, field]) => [name === 'r1' ? `r${version.slice(1)}` : name, field]),
  );
  return { ...root, fields: { ...root.fields, spec: { ...spec, fields } } };
}

function convert(object: Json, apiVersion: string): Json {
  const { spec } = object;
  if (object['apiVersion'] === apiVersion) return object;
  if (!isRecord(spec)) return { ...object, apiVersion };
  const to = `r${apiVersion.slice(-1)}`;
  const members = Object.entries(spec).map(([name, value]) => [/^r[12]$/.test(name) ? to : name, value]);
  return { ...object, apiVersion, spec: Object.fromEntries(members) };
}

function contextOf({ version, subresource = '' }: Step, types: Types, index: number): OwnershipContext {
  const reset = subresource === 'status' ? ['spec', 'metadata'] : ['status'];
  const fields = FieldSet.of(...reset.map((name) => fieldPath(name)));
  return {
    apiVersion: `x.io/${version}`,
    kind: 'Thing',
    subresource,
    typeOf: (apiVersion) => types.get(apiVersion),
    convert,
    resetFields: () => fields,
    zero: () => ({ apiVersion: `x.io/${version}`, kind: 'Thing' }),
    now: () => `2020-01-01T00:00:${String(index).padStart(2, '0')}Z`,
  };
}

function solve(step: Step, context: OwnershipContext, stored: Json | undefined): Outcome {
  const live = stored === undefined ? undefined : convert(stored, context.apiVersion);
  const { sent, manager, force = false } = step;
  if (step.does === 'update') {
    return { result: withManagedFields(sent, trackUpdate(context, { live, next: sent, manager })) };
  }
  try {
    const result = applyConfiguration(context, { live, config: sent, manager, force });
    if (result.outcome === 'applied') return { result: withManagedFields(result.object, result.managedFields) };
    const causes = result.causes.map(({ reason, message, field }) => `${reason} ${message} ${field}`);
    return { conflict: result.message, causes: causes.toSorted() };
  } catch (error) {
    if (!(error instanceof OwnershipError)) throw error;
    return { error: error.message };
  }
}

function withManagedFields(object: Json, managedFields: readonly ManagedFieldsEntry[] | undefined): Json {
  const { managedFields: _, ...metadata } = isRecord(object['metadata']) ? object['metadata'] : {};
  return {
    ...object,
    metadata: { ...metadata, uid: 'u', ...(managedFields === undefined ? {} : { managedFields }) },
  };
}
