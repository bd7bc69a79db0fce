/** The Table form of a custom kind, and the fields that a selector may name. */

import type { JsonRecord } from '../decode/json-record.ts';

/** One of `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** A column of a Table. */
export interface CustomColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** The cell of an object. `age` prints how long ago a time was: `3d`. */
  readonly cell: (object: JsonRecord, age: (time: string) => string) => unknown;
}

/**
 * The columns behind the name. From the first JSONPath on that cannot be read there are no more columns, as in kube-apiserver.
 * A kind without columns has the age.
 */
export function customColumns(_columns: readonly PrinterColumn[]): readonly CustomColumn[] {
  throw new Error('not yet');
}

/** A field that a selector may name. */
export interface SelectableField {
  /** Without the dot in front: `spec.color`. */
  readonly name: string;
  /** Its value in an object as a selector compares it; `''` when it is absent. */
  readonly valueOf: (object: JsonRecord) => string;
}

/** The fields of `selectableFields`. */
export function selectableFields(_fields: readonly { readonly jsonPath: string }[]): readonly SelectableField[] {
  throw new Error('not yet');
}
