/**
 * The protocol of exec and attach over a WebSocket, as pure functions: messages in, events out. A message is the number of a
 * channel and bytes of it. Version 5 can also say that a channel has ended.
 */

import { isStatus, type Status } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';

/** The best first. */
export const CHANNEL_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/** 5 knows half-close, 4 does not. */
export type ChannelVersion = 4 | 5;

/** The numbers of the channels. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The channels that the server writes to, and we read. */
export type OutputChannel = 'stderr' | 'stdout';

/** What a message means. */
export type StreamEvent =
  | { readonly type: 'bytes'; readonly channel: OutputChannel; readonly bytes: Uint8Array }
  | { readonly type: 'ended'; readonly channel: OutputChannel }
  | { readonly type: 'violation'; readonly message: string };

/** What has come on the error channel: the end of the command, as a Status in JSON. */
export interface ChannelState {
  readonly version: ChannelVersion;
  readonly report: Uint8Array;
  /** In how many messages it came. */
  readonly reportMessages: number;
}

/** A Status with the longest message that a kubelet gives; a server that never ends it is not followed. */
const MAX_REPORT_BYTES = 256 * 1024;
/** A kubelet sends one. Each is copied behind those before it: a byte at a time that would take minutes. */
const MAX_REPORT_MESSAGES = 1024;

const NOTHING: readonly StreamEvent[] = [];
const OUTPUTS: Readonly<Record<number, OutputChannel>> = { [CHANNEL.stdout]: 'stdout', [CHANNEL.stderr]: 'stderr' };

/** The version that a server chose; undefined for a protocol that was not offered. */
export function channelVersion(protocol: string): ChannelVersion | undefined {
  if (protocol === CHANNEL_PROTOCOLS[0]) return 5;
  return protocol === CHANNEL_PROTOCOLS[1] ? 4 : undefined;
}

export function startChannels(version: ChannelVersion): ChannelState {
  return { version, report: new Uint8Array(), reportMessages: 0 };
}

/** The state and the events after one message. Channels that are unknown are left alone: a newer server may have more. */
export function stepChannels(
  state: ChannelState,
  message: Uint8Array,
): { readonly state: ChannelState; readonly events: readonly StreamEvent[] } {
  const [number] = message;
  // Kubelets send an empty message on a channel to say that the connection stands.
  if (number === undefined || message.length === 1) return { state, events: NOTHING };
  const bytes = message.subarray(1);
  const output = OUTPUTS[number];
  if (output !== undefined) return { state, events: [{ type: 'bytes', channel: output, bytes }] };
  if (number === CHANNEL.error) return withReport(state, bytes);
  if (number === CHANNEL.close && state.version === 5) {
    const ended = OUTPUTS[bytes[0] ?? -1];
    return { state, events: ended === undefined ? NOTHING : [{ type: 'ended', channel: ended }] };
  }
  return { state, events: NOTHING };
}

function withReport(
  state: ChannelState,
  bytes: Uint8Array,
): { readonly state: ChannelState; readonly events: readonly StreamEvent[] } {
  const length = state.report.length + bytes.length;
  if (length > MAX_REPORT_BYTES || state.reportMessages === MAX_REPORT_MESSAGES) {
    const message = `the error channel does not end: ${length} bytes in ${state.reportMessages + 1} messages`;
    return { state, events: [{ type: 'violation', message }] };
  }
  const report = new Uint8Array(length);
  report.set(state.report);
  report.set(bytes, state.report.length);
  return { state: { ...state, report, reportMessages: state.reportMessages + 1 }, events: NOTHING };
}

/** How a command ended. */
export type ReportedEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'failed'; readonly status: Status }
  | { readonly type: 'unknown'; readonly message: string };

/** What the error channel said, once the connection is over. */
export function commandEnd({ report }: ChannelState): ReportedEnd {
  if (report.length === 0) return { type: 'unknown', message: 'the connection ended before the command did' };
  const text = new TextDecoder().decode(report);
  const status = statusOf(text);
  if (status === undefined) return { type: 'unknown', message: `no Status but ${JSON.stringify(text.slice(0, 200))}` };
  if (status.status === 'Success') return { type: 'exited', code: 0 };
  if (status.reason !== 'NonZeroExitCode') return { type: 'failed', status };
  const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
  return /^-?\d{1,10}$/u.test(cause) ? { type: 'exited', code: Number(cause) } : { type: 'failed', status };
}

/** Kubelets leave out that it is a Status. */
function statusOf(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const status = isRecord(value) ? { kind: 'Status', apiVersion: 'v1', ...value } : undefined;
    return isStatus(status) ? status : undefined;
  } catch {
    return undefined;
  }
}

/** A message for a channel. */
export function channelMessage(channel: number, bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}

/** Says that we send nothing more on a channel. Version 5 only. */
export function closeMessage(channel: number): Uint8Array {
  return Uint8Array.of(CHANNEL.close, channel);
}

/** The size of a terminal. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export function resizeMessage({ columns, rows }: TerminalSize): Uint8Array {
  return channelMessage(CHANNEL.resize, new TextEncoder().encode(JSON.stringify({ Width: columns, Height: rows })));
}
