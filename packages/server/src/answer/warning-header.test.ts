import { describe, expect, it } from 'vitest';
import { warningHeader } from './warning-header.ts';

describe('the warning header', () => {
  it.each([
    [[], {}],
    [['unknown field "a"'], { warning: '299 - "unknown field \\"a\\""' }],
    [['a', 'b', 'a'], { warning: '299 - "a", 299 - "b"' }],
    [['back\\slash'], { warning: '299 - "back\\\\slash"' }],
    [['', 'line\r\nx: y', 'a'], { warning: '299 - "a"' }],
    [['ü'], { warning: '299 - "\u00c3\u00bc"' }],
  ])('%j is %j', (warnings, header) => expect(warningHeader(warnings)).toEqual(header));

  it('stays within what proxies let through', () => {
    const many = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(100)}`);
    expect(warningHeader(many)['warning']?.length).toBeLessThanOrEqual(8192);
    const short = Array.from({ length: 4000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    expect(warningHeader(short)['warning']?.length).toBeLessThanOrEqual(8192);
  });

  it('cuts each text once all together are too long', () => {
    const header = warningHeader(['a'.repeat(300), 'b'.repeat(4000)]);
    expect(header['warning']).toBe(`299 - "${'a'.repeat(256)}", 299 - "${'b'.repeat(256)}"`);
    expect(warningHeader(['c'.repeat(4096)])['warning']).toHaveLength(4096 + 8);
  });
});
