/** The stored form of a custom kind whose versions a webhook converts. */

import { setImmediate } from 'node:timers/promises';
import type { KubeObject } from '@listwatch/rules/internal';
import { pruneObject } from '@listwatch/schema';
import type { Entry } from '@listwatch/storage';
import { type FormVersions, layoutOf, parseStored, readStored, schemaOf } from '../kinds/crd/custom-form.ts';
import type { ShownObject, StoredForm } from '../stored/stored-form.ts';

/** Converts objects to a version. Rejects when the webhook does not. */
export type ConvertObjects = (objects: readonly KubeObject[], apiVersion: string) => Promise<readonly KubeObject[]>;

/** At most so many objects, and about so many bytes, are converted by one call. */
const MAX_OBJECTS = 500;
const MAX_BYTES = 1024 * 1024;

/** So many bytes are encoded between two breaks. */
const STEP_BYTES = 128 * 1024;

/** Values that a webhook has made, and whether the store would get another one. */
const converted = new WeakMap<Uint8Array, boolean>();

/** The form of one version. */
export function webhookForm(convertObjects: ConvertObjects, version: string, versions: FormVersions): StoredForm {
  const layout = layoutOf(versions, version);
  const stored = layoutOf(versions, versions.storageVersion);
  const { group, storageVersion } = versions;
  const isStorage = version === storageVersion;
  const convert = async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
    const result = [...entries];
    const foreign = entries.flatMap((entry, index) => (isForeign(layout.fits(entry.value), entry) ? [index] : []));
    for (const part of parts(foreign, entries)) {
      const read = part.flatMap((index) => readForeign(versions, version, entries[index], index));
      const objects = await convertObjects(
        read.map(({ object }) => object),
        `${group}/${version}`,
      );
      let encoded = 0;
      for (const [at, object] of objects.entries()) {
        const { index = 0, isStale = true } = read[at] ?? {};
        const value = layout.encode(object);
        converted.set(value, isStale);
        const entry = entries[index];
        if (entry !== undefined) result[index] = { ...entry, value };
        encoded += value.length;
        if (encoded < STEP_BYTES) continue;
        encoded = 0;
        await setImmediate();
      }
    }
    return result;
  };
  return {
    show: (value) => show(versions, version, value, (object) => layout.encode(object)),
    convert,
    store: async (value) => {
      if (isStorage) return value;
      const [object] = await convertObjects([parseStored(value)], `${group}/${storageVersion}`);
      return object === undefined ? value : stored.encode(pruneObject(schemaOf(versions, storageVersion), object));
    },
    isStorage,
  };
}

function isForeign(fits: boolean, { value }: Entry): boolean {
  return !fits && !converted.has(value);
}

interface ForeignObject {
  readonly index: number;
  readonly object: KubeObject;
  readonly isStale: boolean;
}

/** An object of another version. A value that cannot be decoded is left to the reader, who says so. */
function readForeign(
  versions: FormVersions,
  version: string,
  entry: Entry | undefined,
  index: number,
): readonly ForeignObject[] {
  try {
    const read = readStored(versions, entry?.value ?? new Uint8Array());
    if (read.version === version) return [];
    const isStale = read.version !== versions.storageVersion || read.object !== read.raw;
    return [{ index, object: read.object, isStale }];
  } catch {
    return [];
  }
}

function show(
  versions: FormVersions,
  version: string,
  value: Uint8Array,
  encode: (object: KubeObject) => Buffer,
): ShownObject {
  const wasStale = converted.get(value);
  if (wasStale !== undefined) {
    const raw = parseStored(value);
    const object = pruneObject(schemaOf(versions, version), raw);
    return { object, value: object === raw ? value : encode(object), isRewritten: true, isStale: wasStale };
  }
  const read = readStored(versions, value);
  if (read.version !== version) throw new SyntaxError(`a stored object has the version ${read.version}`);
  const isStale = version !== versions.storageVersion || read.object !== read.raw;
  const isRewritten = read.object !== read.raw;
  return { object: read.object, value: isRewritten ? encode(read.object) : value, isRewritten, isStale };
}

/** Indexes in parts that one call may carry. */
function* parts(indexes: readonly number[], entries: readonly Entry[]): Generator<readonly number[], undefined> {
  let part: number[] = [];
  let bytes = 0;
  for (const index of indexes) {
    part.push(index);
    bytes += entries[index]?.value.length ?? 0;
    if (part.length < MAX_OBJECTS && bytes < MAX_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}
