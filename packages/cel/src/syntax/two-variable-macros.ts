/** Macros over index and element, or key and value: `m.all(k, v, ..)`, `transformList`, `transformMap`. */
import type { Expression } from './expression.ts';
import type { ExpressionBuilder, Macro } from './macro.ts';
import {
  appendStep,
  argumentAt,
  iterationVariable,
  memberMacro,
  type Quantifier,
  quantifierParts,
} from './standard-macros.ts';

/** The function that inserts an entry into the map of a fold. */
export const MAP_INSERT = 'cel.@mapInsert';

function variables(builder: ExpressionBuilder, args: readonly Expression[]): { variable: string; variable2: string } {
  const [first, second] = [argumentAt(args, 0), argumentAt(args, 1)];
  if (first.kind !== 'identifier') return builder.fail(first, 'argument must be a simple name');
  if (second.kind !== 'identifier') return builder.fail(second, 'argument must be a simple name');
  if (first.name === second.name) return builder.fail(second, `duplicate variable name: ${first.name}`);
  return { variable: iterationVariable(builder, first, ''), variable2: iterationVariable(builder, second, '') };
}

function quantifierMacro(name: string, quantifier: Quantifier): Macro {
  return memberMacro(name, 3, (builder, range, args) => {
    const names = variables(builder, args);
    const parts = quantifierParts(builder, quantifier, argumentAt(args, 2));
    return builder.fold({ range, ...names, accumulator: builder.accumulator, ...parts });
  });
}

type Step = (
  builder: ExpressionBuilder,
  key: string,
  transform: Expression,
  filter: Expression | undefined,
) => Expression;

function transformMacros(name: string, init: (builder: ExpressionBuilder) => Expression, step: Step): readonly Macro[] {
  return [3, 4].map((count) =>
    memberMacro(name, count, (builder, range, args) => {
      const names = variables(builder, args);
      const filter = count === 4 ? argumentAt(args, 2) : undefined;
      return builder.fold({
        range,
        ...names,
        accumulator: builder.accumulator,
        init: init(builder),
        condition: builder.literal(true),
        step: step(builder, names.variable, argumentAt(args, count - 1), filter),
        result: builder.identifier(builder.accumulator),
      });
    }),
  );
}

function insertStep(
  builder: ExpressionBuilder,
  args: readonly Expression[],
  filter: Expression | undefined,
): Expression {
  const step = builder.call(MAP_INSERT, builder.identifier(builder.accumulator), ...args);
  return filter === undefined ? step : builder.call('_?_:_', filter, step, builder.identifier(builder.accumulator));
}

/** The macros with two variables. */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  quantifierMacro('all', 'all'),
  quantifierMacro('exists', 'exists'),
  quantifierMacro('existsOne', 'existsOne'),
  quantifierMacro('exists_one', 'existsOne'),
  ...transformMacros(
    'transformList',
    (builder) => builder.list(),
    (builder, _key, transform, filter) => appendStep(builder, transform, filter),
  ),
  ...transformMacros(
    'transformMap',
    (builder) => builder.map(),
    (builder, key, transform, filter) => insertStep(builder, [builder.identifier(key), transform], filter),
  ),
  ...transformMacros(
    'transformMapEntry',
    (builder) => builder.map(),
    (builder, _key, transform, filter) => insertStep(builder, [transform], filter),
  ),
];
