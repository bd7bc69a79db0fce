import { constants, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dataHead, pingFrame, synStreamFrame } from './spdy-frames.ts';
import { SPDY_START, type SpdyEvent, stepSpdy } from './spdy-reader.ts';

function control(kind: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.of(0x80, 3, 0, kind, 0, 0, 0, 0);
  head.writeUInt32BE(payload.length, 4);
  head.writeUInt8(flags, 4);
  return Buffer.concat([head, payload]);
}

/** What is read, with the bytes of a stream as one text. */
function read(chunks: readonly Buffer[]): readonly string[] {
  let state = SPDY_START;
  const said: string[] = [];
  for (const chunk of chunks) {
    const step = stepSpdy(state, chunk);
    state = step.state;
    for (const event of step.events) said.push(textOf(event));
  }
  return said;
}

function textOf(event: SpdyEvent): string {
  if (event.type === 'bytes') return `${event.stream}: ${event.bytes.toString()}`;
  if (event.type === 'ping') return `ping ${event.id}`;
  return event.type === 'violation' ? event.message : `${event.type} ${event.stream}`;
}

/** One header as SPDY has it. */
function streamTypeHeader(value: string): string {
  return `\0\0\0\x01\0\0\0\x0astreamtype\0\0\0${String.fromCharCode(value.length)}${value}`;
}

const frames = [
  control(2, Buffer.concat([Buffer.of(0, 0, 0, 1), Buffer.from('compressed headers')])),
  dataHead(3, 2, false),
  Buffer.from('ab'),
  control(4, Buffer.alloc(12)),
  control(9, Buffer.of(0, 0, 0, 3, 0, 0, 1, 0)),
  control(6, Buffer.of(0, 0, 0, 8)),
  dataHead(3, 1, true),
  Buffer.from('c'),
  dataHead(5, 0, true),
  control(3, Buffer.of(0, 0, 0, 7, 0, 0, 0, 5)),
];

describe('frames of SPDY', () => {
  it('are replies, bytes, ends, resets and pings; settings and windows mean nothing', () => {
    const said = ['opened 1', '3: ab', 'ping 8', '3: c', 'ended 3', 'ended 5', 'ended 7'];
    expect(read([Buffer.concat(frames)])).toEqual(said);
    expect(read(frames)).toEqual(said);
  });

  it('mean the same however the bytes are cut', () => {
    const bytes = Buffer.concat(frames);
    const whole = read([bytes]).join().replaceAll(/3: /gu, '');
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(read(parts).join().replaceAll(/3: /gu, '').replace('a,b', 'ab')).toBe(whole);
    }
    const single = read(Array.from(bytes, (byte) => Buffer.of(byte)));
    expect(single.join().replaceAll(/3: /gu, '').replace('a,b', 'ab')).toBe(whole);
  });

  it('a reply with the flag of the end opens its stream and ends it', () => {
    expect(read([control(2, Buffer.of(0, 0, 0, 1), 1)])).toEqual(['opened 1', 'ended 1']);
  });

  it.each([
    ['a control frame of 16777215 bytes', Buffer.of(0x80, 3, 0, 8, 0, 0xff, 0xff, 0xff)],
    ['version 2 of SPDY', Buffer.of(0x80, 2, 0, 6, 0, 0, 0, 4)],
    ['a control frame that is cut short', control(3, Buffer.alloc(2))],
  ])('%s is a violation', (message, bytes) => {
    expect(read([bytes])).toContain(message);
  });

  it('that open streams have headers that any zlib reads, over the whole connection', () => {
    const opened = ['error', 'stdin'].map((streamtype, index) =>
      synStreamFrame(2 * index + 1, { streamtype }, index === 0),
    );
    expect(opened.map((frame) => [frame.readUInt32BE(0), frame.readUInt32BE(4), frame.readUInt32BE(8)])).toEqual(
      opened.map((frame, index) => [0x8003_0001, frame.length - 8, 2 * index + 1]),
    );
    const compressed = Buffer.concat(opened.map((frame) => frame.subarray(18)));
    const headers = inflateSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
    expect(headers).toBe(`${streamTypeHeader('error')}${streamTypeHeader('stdin')}`);
  });

  it('that answer a ping have its number', () => {
    expect(read([pingFrame(8)])).toEqual(['ping 8']);
  });
});
