/**
 * The protocol of port-forward over a WebSocket, as pure functions. Each port has a channel of data and one of errors; the first two
 * bytes of each are the number of the port. One port is asked for on each connection: then one that breaks takes no other with it.
 */

/** Version 4 is the only one for ports. It cannot end one direction alone. */
export const PORT_PROTOCOLS = ['v4.channel.k8s.io'] as const;

export const PORT_CHANNEL = { data: 0, error: 1 } as const;

const PORT_BYTES = 2;
/** The kubelet writes a line. */
const MAX_ERROR_BYTES = 16 * 1024;

export interface PortState {
  /** How much of the port is still to come, on each channel. */
  readonly missing: readonly [data: number, error: number];
  /** What the kubelet said went wrong. */
  readonly error: string;
}

export const PORT_START: PortState = { missing: [PORT_BYTES, PORT_BYTES], error: '' };

/** The state after a message, and the data that it had. Unknown channels are left alone. */
export function stepPort(
  state: PortState,
  message: Uint8Array,
): { readonly state: PortState; readonly bytes: Uint8Array | undefined } {
  const [channel] = message;
  if (channel !== PORT_CHANNEL.data && channel !== PORT_CHANNEL.error) return { state, bytes: undefined };
  const left = state.missing[channel];
  const skipped = Math.min(left, message.length - 1);
  const bytes = message.subarray(1 + skipped);
  const [data, error] = state.missing;
  const missing =
    channel === PORT_CHANNEL.data ? ([left - skipped, error] as const) : ([data, left - skipped] as const);
  if (channel === PORT_CHANNEL.data) {
    return { state: { ...state, missing }, bytes: bytes.length === 0 ? undefined : bytes };
  }
  const room = bytes.subarray(0, Math.max(0, MAX_ERROR_BYTES - state.error.length));
  return { state: { missing, error: state.error + new TextDecoder().decode(room) }, bytes: undefined };
}
