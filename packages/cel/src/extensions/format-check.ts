/** Checks the arguments of `"literal".format([..])` against its clauses when an expression is compiled. */
import type { CallProblem } from '../standard/cel-library.ts';
import type { CallExpression, Expression } from '../syntax/expression.ts';
import type { CelType, CelTypeKind } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { CLAUSE_PROBLEMS, formatParts } from './text-format.ts';

type TypeOf = (expression: Expression) => CelType;

const UNEXPECTED_END = 'unexpected end of string';
const PRINTED: readonly CelTypeKind[] = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

/** What the clauses take, by their letters. Some strings stand for doubles. */
const KINDS: Readonly<Record<string, readonly CelTypeKind[]>> = {
  b: ['int', 'uint', 'bool'],
  d: ['int', 'uint'],
  e: ['double', 'string'],
  f: ['double', 'string'],
  o: ['int', 'uint'],
  s: PRINTED,
  x: ['int', 'uint', 'string', 'bytes'],
};

/** What is wrong with a call of `format` whose format and list are literals. */
export function formatProblems(call: CallExpression, typeOf: TypeOf): readonly CallProblem[] {
  const [list] = call.args;
  const format = call.target?.kind === 'literal' ? call.target.value : undefined;
  if (typeof format !== 'string' || list?.kind !== 'list') return [];
  const args = list.elements;
  let used = 0;
  for (const part of formatParts(format)) {
    if (typeof part === 'string') continue;
    const isEnd = part instanceof CelError && part.message === UNEXPECTED_END;
    const arg = args[used];
    if (!isEnd && arg === undefined) return [{ id: call.id, message: `index ${used} out of range` }];
    if (part instanceof CelError) return [{ id: call.id, message: part.message }];
    const letter = part.letter.toLowerCase();
    const wrong = arg === undefined ? undefined : misfit(arg, letter, typeOf);
    if (wrong !== undefined) {
      const message = `error during formatting: ${CLAUSE_PROBLEMS[letter] ?? ''}, was given ${typeOf(wrong).name}`;
      return [{ id: wrong.id, message }];
    }
    used++;
  }
  if (args.length <= used) return [];
  const message = `too many arguments supplied to string.format (expected ${used}, got ${args.length})`;
  return [{ id: call.id, message }];
}

/** The part of an argument that a clause does not take. */
function misfit(arg: Expression, letter: string, typeOf: TypeOf): Expression | undefined {
  if (!(KINDS[letter] ?? []).includes(kindOf(typeOf(arg))) && typeOf(arg).kind !== 'dyn') return arg;
  if (letter !== 's') return undefined;
  let parts: readonly Expression[] = [];
  if (arg.kind === 'list') parts = arg.elements;
  else if (arg.kind === 'map') parts = arg.entries.flatMap(({ key, value }) => [key, value]);
  for (const part of parts) {
    const found = misfit(part, letter, typeOf);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf({ kind, parameters: [primitive] }: CelType): CelTypeKind {
  return kind === 'wrapper' && primitive !== undefined ? primitive.kind : kind;
}
