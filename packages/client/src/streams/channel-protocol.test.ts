import { describe, expect, it } from 'vitest';
import {
  CHANNEL,
  channelMessage,
  channelVersion,
  closeMessage,
  commandEnd,
  resizeMessage,
  type StreamEvent,
  startChannels,
  stepChannels,
} from './channel-protocol.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The events of messages, with their bytes as text, and how the command ended. */
function run(version: 4 | 5, messages: readonly Uint8Array[]): { events: readonly unknown[]; end: unknown } {
  let state = startChannels(version);
  const events: StreamEvent[] = [];
  for (const message of messages) {
    const step = stepChannels(state, message);
    state = step.state;
    events.push(...step.events);
  }
  const shown = events.map((event) => (event.type === 'bytes' ? { ...event, bytes: text(event.bytes) } : event));
  return { events: shown, end: commandEnd(state) };
}

const report = (status: object): Uint8Array => channelMessage(CHANNEL.error, encode(JSON.stringify(status)));

describe('the protocol of channels', () => {
  it('a message belongs to the channel that its first byte names', () => {
    const messages = [channelMessage(CHANNEL.stdout, encode('out')), channelMessage(CHANNEL.stderr, encode('err'))];
    expect(run(5, messages).events).toEqual([
      { type: 'bytes', channel: 'stdout', bytes: 'out' },
      { type: 'bytes', channel: 'stderr', bytes: 'err' },
    ]);
  });

  it.each([
    ['nothing at all', new Uint8Array()],
    ['a channel and nothing on it', Uint8Array.of(CHANNEL.stdout)],
    ['an unknown channel', Uint8Array.of(9, 1, 2, 3)],
    ['our own channels', Uint8Array.of(CHANNEL.stdin, 1)],
    ['the end of an unknown channel', Uint8Array.of(CHANNEL.close, 77)],
    ['the end of nothing', Uint8Array.of(CHANNEL.close)],
  ])('%s is no event', (_, message) => {
    expect(run(5, [message]).events).toEqual([]);
  });

  it('version 5 ends a channel; to version 4 that is an unknown channel', () => {
    expect(run(5, [closeMessage(CHANNEL.stdout)]).events).toEqual([{ type: 'ended', channel: 'stdout' }]);
    expect(run(4, [closeMessage(CHANNEL.stdout)]).events).toEqual([]);
  });

  it.each([
    [{ status: 'Success' }, { type: 'exited', code: 0 }],
    [
      { status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: '3' }] } },
      { type: 'exited', code: 3 },
    ],
    [
      { status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: 'x' }] } },
      { type: 'failed' },
    ],
    [{ status: 'Failure', reason: 'InternalError', message: 'no such file' }, { type: 'failed' }],
  ])('the report %j is the end %j', (status, end) => {
    // Kubelets leave out kind and apiVersion.
    expect(run(4, [report({ metadata: {}, ...status })]).end).toMatchObject(end);
  });

  it('a report may come in several messages', () => {
    const bytes = encode(JSON.stringify({ metadata: {}, status: 'Success' }));
    const parts = [bytes.subarray(0, 7), bytes.subarray(7)].map((part) => channelMessage(CHANNEL.error, part));
    expect(run(5, parts).end).toEqual({ type: 'exited', code: 0 });
  });

  it.each([
    ['no report', [], 'the connection ended before the command did'],
    ['half of one', [channelMessage(CHANNEL.error, encode('{"status":'))], 'no Status but "{\\"status\\":"'],
    ['a list', [channelMessage(CHANNEL.error, encode('[]'))], 'no Status but "[]"'],
  ])('%s is an unknown end', (_, messages, message) => {
    expect(run(5, messages).end).toEqual({ type: 'unknown', message });
  });

  it('an error channel that never ends is a violation, in large messages and in small ones', () => {
    const large = Array.from({ length: 9 }, () => channelMessage(CHANNEL.error, new Uint8Array(32 * 1024)));
    expect(run(5, large).events).toEqual([{ type: 'violation', message: expect.stringContaining('does not end') }]);
    const small = Array.from({ length: 1025 }, () => channelMessage(CHANNEL.error, Uint8Array.of(32)));
    expect(run(5, small).events).toEqual([{ type: 'violation', message: expect.stringContaining('1025 messages') }]);
  });

  it('what is sent has the channel first', () => {
    expect([...closeMessage(CHANNEL.stdin)]).toEqual([255, 0]);
    const size = resizeMessage({ columns: 80, rows: 24 });
    expect([size[0], text(size.subarray(1))]).toEqual([4, '{"Width":80,"Height":24}']);
  });

  it.each([
    ['v5.channel.k8s.io', 5],
    ['v4.channel.k8s.io', 4],
    ['channel.k8s.io', undefined],
    ['', undefined],
  ])('the subprotocol %j is version %s', (protocol, version) => {
    expect(channelVersion(protocol)).toBe(version);
  });
});
