import { describe, expect, it } from 'vitest';
import { encodeGnostic, type GnosticMessages } from './gnostic-message.ts';
import { gnosticVersion2 } from './gnostic-v2.ts';
import { gnosticVersion3 } from './gnostic-v3.ts';

async function hex(messages: GnosticMessages, document: object): Promise<string> {
  return (await encodeGnostic(messages, document)).toString('hex');
}

const text = (value: string): string => Buffer.from(value).toString('hex');
/** A field of bytes: its tag, its length, its content. */
const field = (number: number, content: string): string =>
  Buffer.from([number * 8 + 2, content.length / 2]).toString('hex') + content;

describe('a message', () => {
  const messages: GnosticMessages = {
    '.Document': {
      fields: {
        text: { number: 1, type: 'string' },
        on: { number: 2, type: 'bool' },
        count: { number: 3, type: 'int64' },
        share: { number: 4, type: 'double' },
        texts: { number: 5, type: 'string', repeated: true },
        members: { number: 6, type: '.Members' },
        one: { number: 7, type: '.One' },
      },
      extensions: 15,
    },
    '.Members': { members: { number: 1, type: 'string' } },
    '.One': { choose: (value) => (value === null ? undefined : { number: 2, type: 'bool' }) },
  };

  it('has fields under their numbers, and no empty scalars', async () => {
    expect(await hex(messages, { text: 'a', on: true, count: 300 })).toBe('0a0161100118ac02');
    expect(await hex(messages, { text: '', on: false, count: 0, share: 0 })).toBe('');
    expect(await hex(messages, { share: 1.5 })).toBe('21000000000000f83f');
  });

  it('has each item of a list, also empty ones', async () => {
    expect(await hex(messages, { texts: ['a', ''] })).toBe('2a01612a00');
  });

  it('has members as pairs of name and value', async () => {
    const pair = field(1, text('n')) + field(2, text('v'));
    expect(await hex(messages, { members: { n: 'v' } })).toBe(field(6, field(1, pair)));
  });

  it('has the chosen field even when it is empty, and nothing when none is chosen', async () => {
    expect(await hex(messages, { one: false })).toBe(field(7, '1000'));
    expect(await hex(messages, { one: null })).toBe(field(7, ''));
  });

  it('has extensions as YAML', async () => {
    const yaml = field(2, text('{"a":1}\n'));
    expect(await hex(messages, { 'x-a': { a: 1 } })).toBe(field(15, field(1, text('x-a')) + field(2, yaml)));
  });

  it('with a member that has no number is an error that names it', async () => {
    await expect(encodeGnostic(messages, { nothing: 1 })).rejects.toThrow(
      new RangeError('the message .Document has no field for nothing'),
    );
  });

  it('encodes lengths beyond one byte', async () => {
    const long = 'a'.repeat(200);
    expect(await hex(messages, { text: long })).toBe(`0ac801${text(long)}`);
  });
});

describe.each([
  ['version 2', gnosticVersion2],
  ['version 3', gnosticVersion3],
] as const)('the table of %s', (_version, messages) => {
  it('has all messages that it names', () => {
    const types = Object.values(messages).flatMap((message) => {
      if ('choose' in message) return [];
      return 'members' in message ? [message.members.type] : Object.values(message.fields).map(({ type }) => type);
    });
    expect(types.filter((type) => type.startsWith('.') && !Object.hasOwn(messages, type))).toEqual([]);
  });

  it('has each number once in a message', () => {
    for (const message of Object.values(messages)) {
      if (!('fields' in message)) continue;
      const numbers = [...Object.values(message.fields).map(({ number }) => number), message.extensions ?? -1];
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  });
});
