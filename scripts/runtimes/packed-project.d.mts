/** The types of `packed-project.mjs`. */

/** What a project takes from this repository's `node_modules`. */
export function linkedEntries(): readonly string[];

/** Writes the programs of a guide, and gives their names. */
export function writeBlocks(folder: string, guide: string): readonly string[];

/** The command of a guide that begins so, on one line. */
export function commandOf(guide: string, start: string): string;
