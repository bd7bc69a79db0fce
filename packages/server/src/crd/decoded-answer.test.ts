import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerTooLarge, decodeAnswer } from './decoded-answer.ts';
import { countTurns } from './loop-turns.fixture.ts';

const decode = (text: string): Promise<unknown> => decodeAnswer(Buffer.from(text));
const PADDING = `"padding":"${'é"\\\\{[,:'.replaceAll('"', '\\"').repeat(5000)}"`;

/** An answer that is long enough to be decoded in parts. */
function answer(list: string, before = ''): string {
  return `{${PADDING},"response" : {${before}"uid":"u","convertedObjects" :${list},"result":{"status":"Success"}},"kind":"K"}`;
}

describe('the answer of a webhook', () => {
  it.each([
    ['[]'],
    ['[ ]'],
    ['[1]'],
    ['[{"a":[1,{"convertedObjects":[2]}]} , "x,]" ,null]'],
    ['"none"'],
    ['{"convertedObjects":[1,2]}'],
    ['[12345678901234567890]'],
  ])('with the objects %s is what JSON.parse makes of it', async (list) => {
    const text = answer(list);
    const { response } = JSON.parse(text);
    const found = await decode(text);
    if (!list.includes('123456')) expect(found).toEqual(JSON.parse(text));
    else expect(found).toMatchObject({ response: { ...response, convertedObjects: [12_345_678_901_234_567_890n] } });
  });

  it('with the list twice is what JSON.parse makes of it', async () => {
    const text = answer('[1,2]', '"convertedObjects":[3],');
    expect(await decode(text)).toEqual(JSON.parse(text));
    const other = answer('[1]').replace('"kind"', '"response":{"convertedObjects":[7,8]},"kind"');
    expect(await decode(other)).toEqual(JSON.parse(other));
  });

  it('with any objects is what JSON.parse makes of it', async () => {
    const objects = fc.array(fc.json({ depthSize: 'small' }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(objects, async (list) => {
        const text = answer(`[${list.join(' ,')}]`);
        expect(await decode(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  it.each(['[1,]', '[,1]', '[1 2]', '[1', '[{]}'])('with the list %s is no JSON', async (list) => {
    expect(await decode(answer(list))).toBeUndefined();
  });

  it.each([
    ['values', answer(`[[${'0,'.repeat(1_000_000)}0]]`)],
    ['fields', answer(`[{${Array.from({ length: 30_000 }, (_, index) => `"k${index}":1`).join()}}]`)],
    ['numbers of 16 digits or more', answer(`[[${'1234567890123456,'.repeat(11_000)}0]]`)],
    ['values', `{"x":[${'0,'.repeat(100_000)}0]}`],
    ['max depth', answer(`[${'['.repeat(2000)}${']'.repeat(2000)}]`)],
    ['max depth', `${'['.repeat(2000)}${']'.repeat(2000)}`],
  ])('with too many %s in one object is refused', async (what, text) => {
    await expect(decode(text)).rejects.toThrow(AnswerTooLarge);
    await expect(decode(text)).rejects.toThrow(what);
  });

  it('lets other work go on while its objects are decoded', async () => {
    const object = `{"a":[${'0,'.repeat(20_000)}0]}`;
    const turns = countTurns();
    await decode(answer(`[${Array.from({ length: 50 }, () => object).join()}]`));
    expect(turns.stop()).toBeGreaterThan(50);
  });
});
