/** For sibling packages only, and small: the runtime must not load sockets, YAML and TLS that its user may not need. */

export { sleep, systemClock } from './clock.ts';
export { type LinkedSignal, linkSignal } from './link-signal.ts';
export { onAbort } from './on-abort.ts';
export { isTransportError, TransportError } from './transport/transport-error.ts';
