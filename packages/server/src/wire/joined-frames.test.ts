import { expect, it } from 'vitest';
import { binaryFraming, chunkFraming, FrameJoiner, messageFraming, plainFraming } from './joined-frames.ts';

const frames = ['one\n', 'two\n'].map((text) => Buffer.from(text));

it('a chunk holds all frames', () => {
  expect(chunkFraming(frames).toString()).toBe('8\r\none\ntwo\n\r\n');
  expect(chunkFraming([Buffer.alloc(300, 'x')]).toString()).toBe(`12c\r\n${'x'.repeat(300)}\r\n`);
});

it('nothing is put between plain frames, and a single one is not copied', () => {
  expect(plainFraming(frames).toString()).toBe('one\ntwo\n');
  expect(plainFraming(frames.slice(0, 1))).toBe(frames[0]);
});

it.each([
  [4, [0x81, 4]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 255, 255]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('a message of %d bytes has its header', (length, header) => {
  const joined = messageFraming([Buffer.alloc(length, 'x'), Buffer.from('y')]);
  expect([...joined.subarray(0, header.length)]).toEqual(header);
  expect([...joined.subarray(header.length + length)]).toEqual([0x81, 1, 'y'.charCodeAt(0)]);
});

it('a frame of protobuf is a binary message without the length in front', () => {
  const joined = binaryFraming(['\0\0\0\u0003abc', '\0\0\0\u0001d'].map((text) => Buffer.from(text)));
  expect(joined.toString('latin1')).toBe('\u0082\u0003abc\u0082\u0001d');
  expect(new FrameJoiner(binaryFraming).isStream).toBe(false);
});

it('equal batches share one buffer, and a batch that differs in the middle does not', () => {
  const joiner = new FrameJoiner(plainFraming);
  const [a, b, c, d] = [Buffer.from('a'), Buffer.from('b'), Buffer.from('c'), Buffer.from('d')];
  const joined = joiner.join([a, b, d]);
  expect(joiner.join([a, b, d])).toBe(joined);
  expect(joiner.join([a, c, d]).toString()).toBe('acd');
  const reused = [a, b];
  joiner.join(reused);
  reused[1] = c;
  expect(joiner.join(reused).toString()).toBe('ac');
});

it('a large batch is not kept', () => {
  const joiner = new FrameJoiner(plainFraming);
  const large = [Buffer.alloc(300_000), Buffer.alloc(1)];
  expect(joiner.join(large)).not.toBe(joiner.join(large));
});
