/** The types of `tools.mjs`. */

/** Installs other people's programs in their exact versions, unless that was done before. */
export function installTools(): void;

/** A file of a tool: the name that it is installed under, and a path in it. */
export function toolFile(path: string): string;
