/** For sibling packages and benches only. */

export { type ObjectDecoder, objectDecoder } from './json/object-decoder.ts';
export { ValueScanner } from './json/value-scanner.ts';
export { linkSignal } from './link-signal.ts';
export { ListDecoder } from './list/list-decoder.ts';
export { onAbort } from './on-abort.ts';
