import { describe, expect, it } from 'vitest';
import { labelName, pathSegmentName, subdomainName } from './name-rules.ts';

describe('names', () => {
  it.each([
    ['subdomain', subdomainName, 'a.b', 0],
    ['subdomain', subdomainName, 'A', 1],
    ['subdomain', subdomainName, 'a/b', 1],
    ['subdomain', subdomainName, 'x'.repeat(254), 1],
    ['label', labelName, 'a', 0],
    ['label', labelName, '1a', 0],
    ['label', labelName, 'a.b', 1],
    ['path segment', pathSegmentName, 'Any Thing', 0],
    ['path segment', pathSegmentName, '..', 1],
    ['path segment', pathSegmentName, 'a%', 1],
  ])('by the rule %s, %j has so many faults', (_, rule, name, faults) => {
    expect(rule(name, false)).toHaveLength(faults);
  });

  it('may end in a dash as long as more is to come', () => {
    expect(subdomainName('web-', true)).toEqual([]);
    expect(subdomainName('web-', false)).toHaveLength(1);
  });
});
