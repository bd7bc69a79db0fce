/** Objects from YAML and as YAML, as users of kubectl write and read it. */

import { type Manifest, readManifests } from './manifest.ts';

/**
 * The objects of a text: any number of documents in YAML or JSON; a `List` stands for its items. Throws a `TypeError` that names the
 * line, or the document and what it lacks. Anchors that expand to more than some million values are refused.
 */
export function loadYaml(text: string): Promise<readonly Manifest[]> {
  if (typeof text !== 'string') return Promise.reject(new TypeError(`loadYaml takes a text, not ${typeof text}`));
  return readManifests(text);
}

/** Options of `dumpYaml`. */
export interface DumpYamlOptions {
  /** Leave out `metadata.managedFields`, as kubectl does. Default: true. */
  readonly hideManagedFields?: boolean | undefined;
}

/**
 * Objects as one document each, with `---` between them, and their fields in the order of their names. What YAML 1.1 takes for a
 * boolean or a number is quoted, because kubectl reads YAML 1.1.
 */
export async function dumpYaml(
  objects: object | readonly object[],
  { hideManagedFields = true }: DumpYamlOptions = {},
): Promise<string> {
  const { dump } = await import('js-yaml');
  const list: readonly object[] = Array.isArray(objects) ? objects : [objects];
  return list
    .map((object) => {
      // Through JSON: what kubectl would get, without what is undefined, and with every form of `toJSON`.
      const plain: unknown = JSON.parse(JSON.stringify(object, jsonValue));
      if (hideManagedFields) dropManagedFields(plain);
      return dump(plain, { sortKeys: true, lineWidth: -1, noRefs: true });
    })
    .join('---\n');
}

function jsonValue(_: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  if (BigInt(number) !== value) throw new RangeError(`${value} cannot be written without loss`);
  return number;
}

function dropManagedFields(object: unknown): void {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return;
  const { metadata } = object;
  if (typeof metadata === 'object' && metadata !== null && 'managedFields' in metadata) delete metadata.managedFields;
}
