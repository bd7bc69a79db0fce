/** The judged cases and their environments as this package has them. */
import { readFileSync } from 'node:fs';
import { adapterOf, type DeclaredSchema, type SchemaEnvironment, schemaEnvironment } from '@listwatch/schema';
import {
  CelCompileError,
  CelError,
  CelOptional,
  type CelProgram,
  type CelResult,
  type CelValue,
  kubernetesEnvironment,
} from '../src/index.ts';
import { encodeValue, typeText } from './judged-value.fixture.ts';

/** What cel-go says of an expression. */
export interface JudgedCase {
  readonly group: string;
  readonly environment?: string;
  readonly expression: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly refused?: string;
  readonly failed?: string;
  readonly cost?: number;
  readonly estimate?: readonly [string, string];
}

interface EnvironmentData {
  readonly schema: DeclaredSchema;
  readonly root?: boolean;
  readonly self: unknown;
  readonly oldSelf?: unknown;
  readonly optionalOldSelf?: boolean;
}

interface Judged {
  readonly made: SchemaEnvironment;
  readonly variables: Readonly<Record<string, CelValue>>;
}

/** Kubernetes' limit of one evaluation. */
const COST_LIMIT = 1_000_000;

/** The cases of the judge. */
export function judgedCases(): JudgedCase[] {
  const text = readFileSync(new URL('./judge/cases.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): JudgedCase => JSON.parse(line));
}

/** The environments of the judge by their names. */
export function judgedEnvironments(): Map<string, Judged> {
  const text = readFileSync(new URL('./judge/environments.json', import.meta.url), 'utf8');
  // JSON.parse would round an int64.
  const marked = text.replace(/: (\d{16,})/g, ': "#$1"');
  const data: Record<string, EnvironmentData> = JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && /^#\d+$/.test(value) ? BigInt(value.slice(1)) : value,
  );
  return new Map(Object.entries(data).map(([name, one]) => [name, judged(one)]));
}

function judged({ schema, root = false, self, oldSelf, optionalOldSelf = false }: EnvironmentData): Judged {
  const made = schemaEnvironment(schema, { isRoot: root, hasOptionalOldSelf: optionalOldSelf });
  if (made === undefined) throw new Error('the schema has no type');
  const adapt = adapterOf(schema, root);
  const variables: Record<string, CelValue> = { self: adapt(self) };
  if (oldSelf !== undefined) variables['oldSelf'] = adapt(oldSelf);
  if (optionalOldSelf)
    variables['oldSelf'] = oldSelf === undefined ? CelOptional.NONE : new CelOptional(adapt(oldSelf));
  return { made, variables };
}

/** What this package makes of a case, in the form of the judge. */
export function solve(one: JudgedCase, environments: Map<string, Judged>): Omit<JudgedCase, 'expression' | 'group'> {
  const { made, variables } = environments.get(one.environment ?? '') ?? fail(one);
  let program: CelProgram;
  try {
    program = made.environment.compile(one.expression);
  } catch (error) {
    if (error instanceof CelCompileError)
      return { refused: error.message.replace(/^(?!ERROR)/, 'program instantiation failed: ') };
    throw error;
  }
  const { result, cost } = program.evaluate(variables, { cost: COST_LIMIT });
  const { min, max } = program.estimateCost(made.sizeHints);
  return { type: typeText(program.resultType), ...outcome(result), cost, estimate: [String(min), String(max)] };
}

function outcome(result: CelResult): { readonly failed: string } | { readonly value: unknown } {
  return result instanceof CelError ? { failed: result.message } : { value: encodeValue(result) };
}

function fail(one: JudgedCase): never {
  throw new Error(`no environment ${one.environment}`);
}

/** The environment without variables. */
export const PLAIN = kubernetesEnvironment();
