// A resolve hook: packages of this workspace answer with their sources, as under `node --conditions=@listwatch/source`.

/** Conditions cannot be added to a process that runs, but a hook can add them to each question. */
export function resolve(specifier, context, next) {
  return next(specifier, { ...context, conditions: ['@listwatch/source', ...context.conditions] });
}
