import { describe, expect, it } from 'vitest';
import { encodeDocument } from './encode-document.ts';
import { encodeGnostic, type GnosticMessages } from './gnostic-message.ts';

const COUNT = 20_000;
const properties = Object.fromEntries(
  Array.from({ length: COUNT }, (_, index) => [`k${index}`, { type: 'string', description: `What ${index} is.` }]),
);
const document = { kind: 'x', components: { schemas: { wide: { type: 'object', properties }, small: {} } } };

/** How many turns the event loop had meanwhile. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(turn);
  function turn(): void {
    turns += 1;
    next = setImmediate(turn);
  }
  await work;
  clearImmediate(next);
  return turns;
}

describe('a schema of 20 000 properties', () => {
  it('is encoded as JSON in many turns, and is the same', async () => {
    expect(String(await encodeDocument(document))).toBe(JSON.stringify(document));
    expect(await turnsOf(encodeDocument(document))).toBeGreaterThan(5);
  });

  it('is encoded as protobuf in many turns, and is the same as its parts', async () => {
    const leaf = { type: { number: 6, type: 'string' }, description: { number: 2, type: 'string' } } as const;
    const messages: GnosticMessages = {
      '.Document': { fields: { properties: { number: 1, type: '.Choice' } } },
      '.Choice': { choose: () => ({ number: 3, type: '.Members' }) },
      '.Members': { members: { number: 4, type: '.Leaf' } },
      '.Leaf': { fields: leaf },
    };
    const leaves: GnosticMessages = { '.Document': { fields: leaf } };
    const members: Buffer[] = [];
    for (const [name, value] of Object.entries(properties)) {
      const pair = [bytes(1, Buffer.from(name)), bytes(2, await encodeGnostic(leaves, value))];
      members.push(bytes(4, Buffer.concat(pair)));
    }
    const expected = bytes(1, bytes(3, Buffer.concat(members)));
    expect((await encodeGnostic(messages, { properties })).equals(expected)).toBe(true);
    expect(await turnsOf(encodeGnostic(messages, { properties }))).toBeGreaterThan(10);
  });
});

function bytes(number: number, content: Buffer): Buffer {
  const head = [number * 8 + 2];
  for (let { length } = content; ; length = Math.floor(length / 128)) {
    head.push(length < 128 ? length : (length % 128) + 128);
    if (length < 128) break;
  }
  return Buffer.concat([Buffer.from(head), content]);
}
