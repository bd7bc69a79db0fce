/** Finds misspelled options, which plain JavaScript would ignore. */

/** Every name of an options type: the compiler complains when one is missing or too many. */
export type OptionNames<O> = Readonly<Record<keyof O & string, true>>;

/** Throws a TypeError that names the first option that `call` does not have. */
export function checkOptionNames(call: string, options: object, names: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options of ${call} must be an object, not ${JSON.stringify(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    throw new TypeError(
      `unknown option ${JSON.stringify(name)} of ${call}; there are ${Object.keys(names).join(', ')}`,
    );
  }
}
