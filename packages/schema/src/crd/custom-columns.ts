/** The Table form of a custom kind, and the fields that a selector may name. */

import { isJsonNumber, type JsonRecord } from '@listwatch/api/values';
import { JsonPathError } from '../json-path/json-path-error.ts';
import { JsonPath } from '../json-path/path-template.ts';
import { printResult } from '../json-path/template-text.ts';
import { VisitBudget } from '../json-path/visit-budget.ts';

/** One of `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
}

/** A column of a Table. */
export interface CustomColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /**
   * The cell of an object; null when its path does not fit the object, or looks at more values than the budget has left.
   * `age` prints how long ago a time was: `3d`, and `<invalid>` for text that is no time.
   */
  readonly cell: (object: JsonRecord, age: (time: string) => string, budget?: VisitBudget) => unknown;
}

const AGE: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
};

/**
 * The columns behind the name. From the first JSONPath on that cannot be read there are no more columns, as in kube-apiserver.
 * A kind without columns has the age.
 */
export function customColumns(columns: readonly PrinterColumn[]): readonly CustomColumn[] {
  const readable: CustomColumn[] = [];
  for (const column of columns.length === 0 ? [AGE] : columns) {
    const path = readPath(column.jsonPath);
    if (path === undefined) break;
    const { name, type, format = '', description = '', priority = 0, jsonPath } = column;
    readable.push({
      name,
      type,
      format,
      description:
        description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
      priority,
      cell: (object, age, budget = new VisitBudget()) => {
        if (budget.isSpent) return null;
        const cell = cellOf(firstResult(path, object, budget), type, age);
        if (typeof cell === 'string') budget.spendText(cell.length);
        return cell;
      },
    });
  }
  return readable;
}

function readPath(jsonPath: string): JsonPath | undefined {
  try {
    return new JsonPath(`{${jsonPath}}`);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** The first value at the path; none when the path does not fit the object. */
function firstResult(path: JsonPath, object: JsonRecord, budget = new VisitBudget()): readonly unknown[] {
  try {
    return path.find(object, { allowsMissing: true, budget })[0]?.slice(0, 1) ?? [];
  } catch (error) {
    if (error instanceof JsonPathError) return [];
    throw error;
  }
}

function cellOf(results: readonly unknown[], type: string, age: (time: string) => string): unknown {
  if (results.length === 0) return null;
  const [value] = results;
  switch (type) {
    case 'string':
      return value === null ? '<no value>' : printResult(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : isJsonNumber(value) ? value : null;
    case 'number':
      return isJsonNumber(value) ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value) : null;
    default:
      return null;
  }
}

/** A field that a selector may name. */
export interface SelectableField {
  /** Without the dot in front: `spec.color`. */
  readonly name: string;
  /** Its value in an object as a selector compares it; `''` when it is absent. */
  readonly valueOf: (object: JsonRecord) => string;
}

/** The fields of `selectableFields`. */
export function selectableFields(fields: readonly { readonly jsonPath: string }[]): readonly SelectableField[] {
  return fields.map(({ jsonPath }) => {
    const path = readPath(jsonPath);
    return {
      name: jsonPath.replace(/^\./, ''),
      valueOf: (object) => {
        const [value] = path === undefined ? [] : firstResult(path, object);
        return value === undefined || value === null ? '' : printResult(value);
      },
    };
  });
}
