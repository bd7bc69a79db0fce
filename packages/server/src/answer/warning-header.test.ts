import { describe, expect, it } from 'vitest';
import { warningHeader } from './warning-header.ts';

describe('the warning header', () => {
  it.each([
    [[], {}],
    [['unknown field "a"'], { warning: '299 - "unknown field \\"a\\""' }],
    [['a', 'b', 'a'], { warning: '299 - "a", 299 - "b"' }],
    [['back\\slash\r\nx: y'], { warning: '299 - "back\\\\slash  x: y"' }],
    [['ü'], { warning: '299 - "?"' }],
  ])('%j is %j', (warnings, header) => expect(warningHeader(warnings)).toEqual(header));

  it('stays within what proxies let through', () => {
    const many = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(100)}`);
    expect(warningHeader(many)['warning']?.length).toBeLessThanOrEqual(4096);
  });
});
