/** The part of `build-real-part.mjs` that tests use. */
export function versionFlags(version: string): string;
