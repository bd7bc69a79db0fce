/** What is wrong with one field of a request: the `field: Invalid value: ...: detail` family of messages. */
import { quote } from '../names/quote.ts';

/** The machine-readable kind of a field error; it is also the `reason` of the cause in a Status. */
export type FieldErrorType =
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueInvalid'
  | 'FieldValueNotFound'
  | 'FieldValueNotSupported'
  | 'FieldValueRequired'
  | 'FieldValueTooFew'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooShort'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

/** One complaint about one field. Build it with the functions below; `fieldErrorText` prints it. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Where: `metadata.name`, `spec.ports[0].port`, `data[a b]`. */
  readonly field: string;
  /** The value that was refused, shown in the message; `undefined` leaves it out. */
  readonly value?: unknown;
  /** Why; `''` adds nothing to the message. */
  readonly detail: string;
}

const TITLE: Readonly<Record<FieldErrorType, string>> = {
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueRequired: 'Required value',
  FieldValueTooFew: 'Too few',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooShort: 'Too short',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** The value is missing. */
export function fieldRequired(field: string, detail = ''): FieldError {
  return { type: 'FieldValueRequired', field, detail };
}

/** The value is malformed. */
export function fieldInvalid(field: string, value: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, value, detail };
}

/** The value has the wrong JSON type. */
export function fieldTypeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { type: 'FieldValueTypeInvalid', field, value, detail };
}

/** The value is none of `supported`, which the message lists in the order given. */
export function fieldNotSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return { type: 'FieldValueNotSupported', field, value, detail };
}

/** The value would be fine in another situation. */
export function fieldForbidden(field: string, detail: string): FieldError {
  return { type: 'FieldValueForbidden', field, detail };
}

/** The value is there twice. */
export function fieldDuplicate(field: string, value: unknown): FieldError {
  return { type: 'FieldValueDuplicate', field, value, detail: '' };
}

/** The value refers to something that does not exist. */
export function fieldNotFound(field: string, value: unknown): FieldError {
  return { type: 'FieldValueNotFound', field, value, detail: '' };
}

/** The value is longer than `max` bytes (the default unit) or characters. */
export function fieldTooLong(field: string, max: number, unit: 'byte' | 'character' = 'byte'): FieldError {
  return { type: 'FieldValueTooLong', field, detail: `may not be more than ${plural(max, unit)}` };
}

/** The value is shorter than `min` characters. */
export function fieldTooShort(field: string, min: number): FieldError {
  return { type: 'FieldValueTooShort', field, detail: `must be at least ${plural(min, 'character')}` };
}

/** The list has `actual` items, more than `max`. */
export function fieldTooMany(field: string, actual: number, max: number): FieldError {
  return { type: 'FieldValueTooMany', field, value: actual, detail: `must have at most ${plural(max, 'item')}` };
}

/** The list has `actual` items, fewer than `min`. */
export function fieldTooFew(field: string, actual: number, min: number): FieldError {
  return { type: 'FieldValueTooFew', field, value: actual, detail: `must have at least ${plural(min, 'item')}` };
}

/** The server failed to check the value; the client is not to blame. */
export function fieldInternal(field: string, detail: string): FieldError {
  return { type: 'InternalError', field, detail };
}

/** The message without the field: `Invalid value: "x": detail`. */
export function fieldErrorBody(error: FieldError): string {
  const title = TITLE[error.type];
  const shown = error.value === undefined ? title : `${title}: ${printValue(error.value)}`;
  return error.detail === '' ? shown : `${shown}: ${error.detail}`;
}

/** The whole message: `metadata.name: Invalid value: "x": detail`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The message of several errors: repeated ones once, more than one between brackets. `''` for none. */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return String(value);
  // Go's encoder writes these so that JSON can stand inside HTML.
  return (JSON.stringify(value, integersAsText) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** JSON has no bigints; an integer of more than 53 bits inside a value is shown as text. */
function integersAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
