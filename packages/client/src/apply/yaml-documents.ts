/** The documents of a YAML text. The text may come from anywhere: what it expands to is bounded. */

import { manifestSchema } from './manifest-schema.ts';

/** The text of some ten thousand large objects. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Values in all documents, with what aliases repeat: nested aliases turn a short text into billions. */
const MAX_NODES = 5_000_000;

const LIMITS = { maxDepth: 100, maxAliases: 1000, maxTotalMergeKeys: 10_000 } as const;

/** Parses all documents; empty ones are left out. Throws a `TypeError` with the line for what is not YAML. */
export async function yamlDocuments(text: string): Promise<readonly unknown[]> {
  if (text.length > MAX_CHARACTERS) {
    throw new TypeError(`the YAML has ${text.length} characters; at most ${MAX_CHARACTERS} are read`);
  }
  // Loaded when it is first needed: most programs apply no YAML.
  const library = await import('js-yaml');
  const { loadAll, YAMLException } = library;
  let documents: readonly unknown[];
  try {
    documents = loadAll(text, { schema: manifestSchema(library), ...LIMITS });
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const where = cause.mark === undefined ? '' : ` at line ${cause.mark.line + 1}`;
    throw new TypeError(`the manifests are not YAML${where}: ${cause.message}`, { cause });
  }
  if (countNodes(documents) > MAX_NODES) {
    throw new TypeError(`the YAML has more than ${MAX_NODES} values, with those that its aliases repeat`);
  }
  // What stands between two `---` may be empty, or nothing but comments.
  return documents.filter((value) => value !== null && value !== undefined);
}

/** Stops counting above the limit. */
function countNodes(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count <= MAX_NODES) {
    const next = open.pop();
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    const values: readonly unknown[] = Object.values(next);
    // Not spread into one call: an array of a million items has more than a call can take.
    for (const child of values) open.push(child);
  }
  return count;
}
