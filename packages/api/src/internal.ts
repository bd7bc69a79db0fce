/** For sibling packages only. */

export { breaksPattern, isLongerThan } from './names/text-limit.ts';
export { cutText, jsonCut, quoteCut } from './status/bounded-text.ts';
export { FIELD_ERRORS_MAX, type FieldErrorReport, fieldErrorReport } from './status/field-error.ts';
export { abortable } from './time/abortable.ts';
export { monotonicMs } from './time/monotonic-ms.ts';
export { onAbort } from './time/on-abort.ts';
export { foldItems, type IsDue, mapItems, resumableSteps } from './time/resumable-work.ts';
export { isRecord as isJsonObject, type JsonRecord as JsonObject } from './values/json-value.ts';
