import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withPlainBookmarks } from './plain-bookmarks.ts';

const type = { kind: 'Pod', apiVersion: 'v1' };
const added = '{"type":"ADDED","object":{"kind":"Table","rows":[{"cells":["ä"]}]}}';
const mark = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
const bookmark = JSON.stringify({
  type: 'BOOKMARK',
  object: { kind: 'Table', metadata: { resourceVersion: '7' }, rows: [{ cells: [], object: { metadata: mark } }] },
});
const plain = JSON.stringify({ type: 'BOOKMARK', object: { ...type, metadata: mark } });
const other = '{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}';

async function passed(text: string, cuts: readonly number[]): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  async function* body(): AsyncGenerator<Uint8Array> {
    let from = 0;
    for (const cut of [...cuts.map((share) => Math.floor(share * bytes.length)), bytes.length].toSorted(
      (a, b) => a - b,
    )) {
      yield bytes.subarray(from, cut);
      from = cut;
    }
  }
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of withPlainBookmarks(body(), type)) result += decoder.decode(chunk, { stream: true });
  return result;
}

describe('bookmarks of Tables', () => {
  it('get the mark of their row, wherever the bytes are cut; all else passes as it is', async () => {
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    const lines = fc.array(fc.constantFrom(added, bookmark, other, ''), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(lines, shares, fc.constantFrom('\n', ''), async (all, cuts, end) => {
        const text = `${all.join('\n')}${end}`;
        // A last line without its end is a torn one, and is not looked at.
        const torn = end === '' ? all.length - 1 : -1;
        const expected = all.map((line, index) => (line === bookmark && index !== torn ? plain : line));
        expect(await passed(text, cuts)).toBe(`${expected.join('\n')}${end}`);
      }),
      { numRuns: 300 },
    );
  });

  it('a line without an end is not gathered', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('{"type":"BOOKMARK","object":');
      for (; sent < 100; sent += 1) yield new Uint8Array(64 * 1024).fill(0x20);
    }
    let before = -1;
    for await (const _ of withPlainBookmarks(endless(), type)) {
      before = sent;
      break;
    }
    expect(before).toBeGreaterThan(10);
    expect(before).toBeLessThan(20);
  });
});
