/** For sibling packages only. */

export { escapeHtml } from './names/escape-html.ts';
export { generatedName } from './names/generated-name.ts';
export { breaksPattern, isLongerThan } from './names/text-limit.ts';
export { cutText, jsonCut, quoteCut } from './status/bounded-text.ts';
export { FIELD_ERRORS_MAX, type FieldErrorReport, fieldErrorReport } from './status/field-error.ts';
export { type Paint, painter, type Style } from './terminal/paint.ts';
export { printable, printableJson, printableLines } from './terminal/printable.ts';
export { abortable } from './time/abortable.ts';
export { monotonicMs } from './time/monotonic-ms.ts';
export { onAbort } from './time/on-abort.ts';
export { GatheredBytes } from './values/gathered-bytes.ts';
