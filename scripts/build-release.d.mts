/** The types of `build-release.mjs`. */

/** Builds a commit or a tag in a folder of its own, unless that was done before, and returns the folder. */
export function buildRelease(ref: string): string;
