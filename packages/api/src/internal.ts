/** For sibling packages only. */

export { breaksPattern, isLongerThan } from './names/text-limit.ts';
export { isJsonObject, type JsonObject } from './objects/json-object.ts';
export { cutText, jsonCut, quoteCut } from './status/bounded-text.ts';
export { FIELD_ERRORS_MAX } from './status/field-error.ts';
export { abortable } from './time/abortable.ts';
export { monotonicMs } from './time/monotonic-ms.ts';
export { onAbort } from './time/on-abort.ts';
export { foldItems, type IsDue, mapItems, resumableSteps } from './time/resumable-work.ts';
