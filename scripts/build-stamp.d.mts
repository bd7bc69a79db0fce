/** The types of `build-stamp.mjs`. */

/** Of this repository. */
export const ROOT: string;

/** The hash of every file that the build reads, by its path. */
export function sourcesOf(root?: string): Readonly<Record<string, string>>;

/** Why the build cannot be used; undefined when it can. */
export function staleness(
  sources: Readonly<Record<string, string>>,
  outputs: readonly string[],
  root?: string,
): string | undefined;

/** Notes that a build begins: what is there is no longer that of the stamp. */
export function removeStamp(root?: string): void;

/** Notes that the build was made of these sources. */
export function writeStamp(sources: Readonly<Record<string, string>>, root?: string): void;
