/** The types of a custom kind as the type checker sees them: those of the OpenAPI schema that the server publishes for it. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { CelType, ObjectTypes } from '@listwatch/cel';
import { DeclaredObjects } from './declared-objects.ts';
import { declaredType } from './declared-type.ts';

/** A type with the types in it. */
export interface PublishedType {
  readonly type: CelType;
  readonly objectTypes: ObjectTypes;
}

/**
 * The type of a schema that refers to no others but for its metadata, whose type is `metadata`. `name` becomes the name of the
 * type. Undefined when expressions cannot see such objects.
 */
export function publishedType(schema: JsonRecord, name: string, metadata: CelType): PublishedType | undefined {
  const declared = declaredType(schema, name, false);
  if (declared === undefined) return undefined;
  const objects = new DeclaredObjects(declared);
  const hasMetadata = isRecord(schema['properties']) && isRecord(schema['properties']['metadata']);
  let root: ReadonlyMap<string, CelType> | undefined;
  return {
    type: declared.type,
    objectTypes: {
      fields(type) {
        if (type !== name || !hasMetadata) return objects.fields(type);
        root ??= new Map([...(objects.fields(type) ?? []), ['metadata', metadata]]);
        return root;
      },
    },
  };
}
