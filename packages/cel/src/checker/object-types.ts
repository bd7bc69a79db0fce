import type { CelType } from '../types/cel-type.ts';

/** The object types that expressions may use, for instance made of schemas. */
export interface ObjectTypes {
  /** The fields of a type by its name; `undefined` when there is no such type. */
  fields(typeName: string): ReadonlyMap<string, CelType> | undefined;
}

/** No object types. */
export const NO_OBJECT_TYPES: ObjectTypes = { fields: () => undefined };
