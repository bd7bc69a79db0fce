/** For sibling packages only, and small: the runtime must not load sockets, YAML and TLS that its user may not need. */

export { objectDecoder } from './json/object-decoder.ts';
export { ObjectScanner, type TextRange } from './json/object-scanner.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export { isTransportError, TransportError } from './transport/transport-error.ts';
