/** The macros of optional values: `optMap` and `optFlatMap`. */
import type { Macro } from './macro.ts';
import { argumentAt, memberMacro } from './standard-macros.ts';

function optionalMacro(name: string, wraps: boolean): Macro {
  return memberMacro(name, 2, (builder, target, args) => {
    const variable = argumentAt(args, 0);
    if (variable.kind !== 'identifier') {
      return builder.fail(variable, `${name}() variable name must be a simple identifier`);
    }
    const present = builder.memberCall('hasValue', target);
    // A fold over nothing binds the value to a name: its result is the mapped expression.
    const mapped = builder.fold({
      range: builder.list(),
      variable: '#unused',
      accumulator: variable.name,
      init: builder.memberCall('value', builder.copy(target)),
      condition: builder.literal(false),
      step: builder.identifier(variable.name),
      result: argumentAt(args, 1),
    });
    return builder.call(
      '_?_:_',
      present,
      wraps ? builder.call('optional.of', mapped) : mapped,
      builder.call('optional.none'),
    );
  });
}

/** The macros of optional values. */
export const OPTIONAL_MACROS: readonly Macro[] = [optionalMacro('optMap', true), optionalMacro('optFlatMap', false)];
