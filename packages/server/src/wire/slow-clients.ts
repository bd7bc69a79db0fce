/** Clients that send more than they may. */

/**
 * After a 429 the next request of a connection is read this much later. Closing it would cost more: a TLS handshake takes
 * milliseconds of the event loop.
 */
export const SLOW_MS = 1000;
