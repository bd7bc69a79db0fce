/** The types of `consumer-check.mjs`. */

/** Compiles and bundles small programs against packed packages; gives what failed, and `report`s every step. */
export function checkConsumers(
  folder: string,
  tarballs: readonly { readonly name: string; readonly tarball: string }[],
  report: (line: string) => void,
): Promise<readonly string[]>;
