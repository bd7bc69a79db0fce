/** How the fields of a protobuf message are written. */

/** What follows the number of a field. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/**
 * The deepest nesting of messages that is read. Only schemas of custom kinds nest without a limit, and a sender needs two
 * bytes a level: without a limit the stack would overflow.
 */
export const MAX_READ_DEPTH = 1000;

/** The deepest nesting that is written: JSON of 1000 levels may take more than one message for each. */
export const MAX_WRITE_DEPTH = 2500;
