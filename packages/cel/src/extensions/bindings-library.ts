/** `cel.bind(name, value, expression)`: a name for a value that is used more than once. */
import type { CelLibrary } from '../standard/cel-library.ts';
import type { Macro } from '../syntax/macro.ts';
import { argumentAt } from '../syntax/standard-macros.ts';

/** The variable of a fold over nothing; no expression can write it. */
const UNUSED = '#unused';

const BIND: Macro = {
  name: 'bind',
  member: true,
  arguments: 3,
  expand: (builder, target, args) => {
    if (target?.kind !== 'identifier' || target.name !== 'cel') return undefined;
    const [name, init, result] = [argumentAt(args, 0), argumentAt(args, 1), argumentAt(args, 2)];
    if (name.kind !== 'identifier') return builder.fail(name, 'cel.bind() variable names must be simple identifiers');
    return builder.fold({
      range: builder.list(),
      variable: UNUSED,
      accumulator: name.name,
      init,
      condition: builder.literal(false),
      step: builder.identifier(name.name),
      result,
    });
  },
};

/** The library of bindings. */
export const bindingsLibrary: CelLibrary = { name: 'cel.lib.ext.cel.bindings', macros: [BIND] };
