/** What is wrong with one field of a request: the `field: Invalid value: ...: detail` family of messages. */
import { quote } from '../names/quote.ts';
import { cutText, jsonCut, quoteCut } from './bounded-text.ts';

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

/** How much of a value, and of a detail, a message shows: characters. */
const SHOWN_MAX = 4096;

/** How much of the path of a field a message shows: characters. A path may hold a key of the client's. */
const FIELD_MAX = 1024;

/** How many errors one message lists: a check that has found more may stop. */
export const FIELD_ERRORS_MAX = 100;

/** How long all errors of one message may be together: characters. The first is always there. */
const TEXT_MAX = 65_536;

/** The message without the field: `Invalid value: "x": detail`. A long value and a long detail are cut. */
export function fieldErrorBody(error: FieldError): string {
  const title = TITLE[error.type];
  const shown = error.value === undefined ? title : `${title}: ${printValue(error.value)}`;
  return error.detail === '' ? shown : `${shown}: ${cutText(error.detail, SHOWN_MAX)}`;
}

/** The whole message: `metadata.name: Invalid value: "x": detail`. */
export function fieldErrorText(error: FieldError): string {
  return `${cutText(error.field, FIELD_MAX)}: ${fieldErrorBody(error)}`;
}

/**
 * The message of several errors: repeated ones once, more than one between brackets. `''` for none. A hundred errors and
 * 64 Ki characters at most; the list then ends in `...`.
 */
export function fieldErrorsText(errors: readonly FieldError[]): string {
  return fieldErrorReport(errors).message;
}

/** Errors in words, for a message and for the causes of a Status. */
export interface FieldErrorReport {
  /** All of them in one text. */
  readonly message: string;
  readonly causes: readonly { readonly reason: FieldErrorType; readonly message: string; readonly field: string }[];
}

/** The errors in words: as many as `fieldErrorsText` lists. Each is printed once. */
export function fieldErrorReport(errors: readonly FieldError[]): FieldErrorReport {
  const causes: FieldErrorReport['causes'][number][] = [];
  const texts = new Set<string>();
  let length = 0;
  for (const error of errors) {
    const cause = { reason: error.type, message: fieldErrorBody(error), field: cutText(error.field, FIELD_MAX) };
    length += cause.field.length + cause.message.length;
    if (causes.length === FIELD_ERRORS_MAX || (causes.length > 0 && length > TEXT_MAX)) {
      texts.add('...');
      break;
    }
    causes.push(cause);
    texts.add(`${cause.field}: ${cause.message}`);
  }
  const [first = ''] = texts;
  return { message: texts.size > 1 ? `[${[...texts].join(', ')}]` : first, causes };
}

function printValue(value: unknown): string {
  if (typeof value === 'number' && (!Number.isInteger(value) || Math.abs(value) >= INT64_END)) return printFloat(value);
  return typeof value === 'string' ? quoteCut(value, SHOWN_MAX) : jsonCut(value, SHOWN_MAX);
}

/** Numbers from here on are no int64. */
const INT64_END = 2 ** 63;

/** Go prints a float of a million or more, and one below a ten-thousandth, with an exponent: `1.0000015e+06`. */
function printFloat(value: number): string {
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
