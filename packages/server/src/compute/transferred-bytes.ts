/** Moves bytes between threads without a walk over their content. */

/** A message, and the buffers to transfer with it. */
export interface Transfer<T extends object> {
  readonly message: T;
  readonly memory: readonly ArrayBuffer[];
}

/**
 * Copies each byte array that is a member of the message, and transfers the copies: the sender keeps its bytes for a retry. A view
 * is never sent as it is, because a clone of it takes all the memory behind it: for a small Buffer that is Node's shared pool.
 */
export function withCopies<T extends object>(message: T): Transfer<T> {
  return transfer(message, (bytes) => new Uint8Array(bytes));
}

/** Transfers each byte array that is a member of the message; the sender loses it. Only views of a part of their memory are copied. */
export function givenAway<T extends object>(message: T): Transfer<T> {
  return transfer(message, (bytes) =>
    bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
      ? new Uint8Array(bytes.buffer)
      : new Uint8Array(bytes),
  );
}

/** The bytes of all members that are byte arrays. */
export function transferredBytes(message: object): number {
  return Object.values(message).reduce<number>(
    (sum, value) => (value instanceof Uint8Array ? sum + value.length : sum),
    0,
  );
}

function transfer<T extends object>(message: T, own: (bytes: Uint8Array) => Uint8Array<ArrayBuffer>): Transfer<T> {
  const memory: ArrayBuffer[] = [];
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(message)) {
    if (!(value instanceof Uint8Array)) continue;
    const bytes = own(value);
    memory.push(bytes.buffer);
    changed[name] = bytes;
  }
  return { message: memory.length === 0 ? message : { ...message, ...changed }, memory };
}
