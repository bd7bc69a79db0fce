/** The stored form of a custom kind whose versions a webhook converts. */

import type { KubeObject } from '@listwatch/rules/internal';
import { pruneObject } from '@listwatch/schema';
import type { Entry } from '@listwatch/storage';
import { justPause } from '../contract/pause.ts';
import {
  type FormVersions,
  parseStored,
  readStoredVersion,
  schemaOf,
  versionLayout,
} from '../kinds/crd/custom-form.ts';
import type { ShownObject, StoredForm } from '../stored/stored-form.ts';

/** Converts objects to a version. Rejects when the webhook fails. */
export type ConvertObjects = (objects: readonly KubeObject[], apiVersion: string) => Promise<readonly KubeObject[]>;

/** The maximum of objects, and about of bytes, in one call. */
const MAX_OBJECTS = 500;
const MAX_BYTES = 1024 * 1024;

/** The bytes that are encoded between two turns of the event loop. */
const STEP_BYTES = 128 * 1024;

/** Values that the webhook has converted, and whether writing them would change the stored bytes. */
type ConvertedValues = WeakMap<Uint8Array, boolean>;

/** The form of one version. */
export function webhookForm(convertObjects: ConvertObjects, version: string, versions: FormVersions): StoredForm {
  const layout = versionLayout(versions, version);
  const stored = versionLayout(versions, versions.storageVersion);
  const { group, storageVersion } = versions;
  const isStorage = version === storageVersion;
  const converted: ConvertedValues = new WeakMap();
  const convert = async (entries: readonly Entry[]): Promise<readonly Entry[]> => {
    const result = [...entries];
    const foreign = entries.flatMap(({ value }, index) => (layout.fits(value) || converted.has(value) ? [] : [index]));
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
        await justPause();
      }
    }
    return result;
  };
  return {
    show: (value) => show(versions, version, value, converted.get(value), (object) => layout.encode(object)),
    convert,
    store: async (value) => {
      if (isStorage) return value;
      const [object] = await convertObjects([parseStored(value)], `${group}/${storageVersion}`);
      return object === undefined ? value : stored.encode(pruneObject(schemaOf(versions, storageVersion), object));
    },
    isStorage,
  };
}

interface ForeignObject {
  readonly index: number;
  readonly object: KubeObject;
  readonly isStale: boolean;
}

/** An object of another version. Undecodable values are left to the reader, which reports them. */
function readForeign(
  versions: FormVersions,
  version: string,
  entry: Entry | undefined,
  index: number,
): readonly ForeignObject[] {
  try {
    const read = readStoredVersion(versions, entry?.value ?? new Uint8Array());
    if (read.version === version) return [];
    const isStale = read.version !== versions.storageVersion || read.object !== read.raw;
    return [{ index, object: read.object, isStale }];
  } catch {
    return [];
  }
}

/** `wasStale`: undefined for a value that the webhook has not converted. */
function show(
  versions: FormVersions,
  version: string,
  value: Uint8Array,
  wasStale: boolean | undefined,
  encode: (object: KubeObject) => Buffer,
): ShownObject {
  if (wasStale !== undefined) {
    const raw = parseStored(value);
    const object = pruneObject(schemaOf(versions, version), raw);
    return { object, value: object === raw ? value : encode(object), isRewritten: true, isStale: wasStale };
  }
  const read = readStoredVersion(versions, value);
  if (read.version !== version) throw new SyntaxError(`a stored object has the version ${read.version}`);
  const isStale = version !== versions.storageVersion || read.object !== read.raw;
  const isRewritten = read.object !== read.raw;
  return { object: read.object, value: isRewritten ? encode(read.object) : value, isRewritten, isStale };
}

/** Splits indexes into the batches of single calls. */
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
