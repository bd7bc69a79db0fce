/** The macros of the language: `has`, `all`, `exists`, `exists_one`, `map` and `filter`. */
import type { Expression } from './expression.ts';
import type { ExpressionBuilder, Macro } from './macro.ts';

type Expand = (builder: ExpressionBuilder, target: Expression, args: readonly Expression[]) => Expression;

/** A macro that is called on a target. */
export function memberMacro(name: string, count: number, expand: Expand): Macro {
  return {
    name,
    member: true,
    arguments: count,
    expand: (builder, target, args) => (target === undefined ? undefined : expand(builder, target, args)),
  };
}

/** The argument at `index`, which the parser has counted. */
export function argumentAt(args: readonly Expression[], index: number): Expression {
  const arg = args[index];
  if (arg === undefined) throw new RangeError(`a macro has no argument ${index}`);
  return arg;
}

/** The name of an iteration variable. */
export function iterationVariable(builder: ExpressionBuilder, arg: Expression, message: string): string {
  if (arg.kind !== 'identifier') return builder.fail(arg, message);
  if (arg.name === builder.accumulator || arg.name === '__result__') {
    return builder.fail(arg, 'iteration variable overwrites accumulator variable');
  }
  return arg.name;
}

/** Which quantifier it is. */
export type Quantifier = 'all' | 'exists' | 'existsOne';

/** The parts of a fold that a quantifier decides. */
export function quantifierParts(
  builder: ExpressionBuilder,
  quantifier: Quantifier,
  predicate: Expression,
): Record<'init' | 'condition' | 'step' | 'result', Expression> {
  const accumulator = (): Expression => builder.identifier(builder.accumulator);
  switch (quantifier) {
    case 'all':
      return {
        init: builder.literal(true),
        condition: builder.call('@not_strictly_false', accumulator()),
        step: builder.call('_&&_', accumulator(), predicate),
        result: accumulator(),
      };
    case 'exists':
      return {
        init: builder.literal(false),
        condition: builder.call('@not_strictly_false', builder.call('!_', accumulator())),
        step: builder.call('_||_', accumulator(), predicate),
        result: accumulator(),
      };
    case 'existsOne':
      return {
        init: builder.literal(0),
        condition: builder.literal(true),
        step: builder.call('_?_:_', predicate, builder.call('_+_', accumulator(), builder.literal(1)), accumulator()),
        result: builder.call('_==_', accumulator(), builder.literal(1)),
      };
    default:
      return quantifier satisfies never;
  }
}

function quantifierMacro(name: string, quantifier: Quantifier): Macro {
  return memberMacro(name, 2, (builder, range, args) => {
    const variable = iterationVariable(builder, argumentAt(args, 0), 'argument must be a simple name');
    const parts = quantifierParts(builder, quantifier, argumentAt(args, 1));
    return builder.fold({ range, variable, accumulator: builder.accumulator, ...parts });
  });
}

/** `accumulator + [element]`, only when `filter` holds. */
export function appendStep(
  builder: ExpressionBuilder,
  element: Expression,
  filter: Expression | undefined,
): Expression {
  const accumulator = (): Expression => builder.identifier(builder.accumulator);
  const step = builder.call('_+_', accumulator(), builder.list(element));
  return filter === undefined ? step : builder.call('_?_:_', filter, step, accumulator());
}

function listMacro(
  name: string,
  count: number,
  parts: (args: readonly Expression[]) => { readonly element: Expression; readonly filter: Expression | undefined },
): Macro {
  return memberMacro(name, count, (builder, range, args) => {
    const variable = iterationVariable(builder, argumentAt(args, 0), 'argument is not an identifier');
    const { element, filter } = parts(args);
    return builder.fold({
      range,
      variable,
      accumulator: builder.accumulator,
      init: builder.list(),
      condition: builder.literal(true),
      step: appendStep(builder, element, filter),
      result: builder.identifier(builder.accumulator),
    });
  });
}

const HAS: Macro = {
  name: 'has',
  member: false,
  arguments: 1,
  expand(builder, _target, args) {
    const arg = argumentAt(args, 0);
    if (arg.kind !== 'select' || arg.test) return builder.fail(arg, 'invalid argument to has() macro');
    return builder.presence(arg.operand, arg.field);
  },
};

/** The standard macros. */
export const STANDARD_MACROS: readonly Macro[] = [
  HAS,
  quantifierMacro('all', 'all'),
  quantifierMacro('exists', 'exists'),
  quantifierMacro('exists_one', 'existsOne'),
  listMacro('map', 2, (args) => ({ element: argumentAt(args, 1), filter: undefined })),
  listMacro('map', 3, (args) => ({ element: argumentAt(args, 2), filter: argumentAt(args, 1) })),
  listMacro('filter', 2, (args) => ({ element: argumentAt(args, 0), filter: argumentAt(args, 1) })),
];
