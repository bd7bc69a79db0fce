/** The types of `cases.mjs`. */

/** The rows of the table of runtimes. */
export const CASES: readonly { readonly name: string }[];
