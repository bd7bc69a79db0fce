/** For benches only. */

export type { ObjectDecoder } from './cluster.ts';
export { objectDecoder } from './json/object-decoder.ts';
export { ValueScanner } from './json/value-scanner.ts';
export { ListDecoder } from './list/list-decoder.ts';
