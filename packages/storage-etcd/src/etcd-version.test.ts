import { needs, requireEtcd, startEtcd } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { answersProgressInOrder, hasOrderedProgress } from './etcd-version.ts';

describe('progress in order', () => {
  it.each([
    ['3.3.27', false],
    ['3.4.24', false],
    ['3.4.25', true],
    ['3.5.7', false],
    ['3.5.8', true],
    ['3.6.0', true],
    ['3.6.0-rc.4', true],
    ['4.0.0', true],
    ['', false],
  ])('etcd %s: %s', (version, expected) => {
    expect(hasOrderedProgress(version)).toBe(expected);
  });

  it('is asked of every member; one that is silent does not vouch', needs('etcd'), async () => {
    const { version } = requireEtcd();
    await using etcd = await startEtcd();
    expect(await answersProgressInOrder({ endpoints: [etcd.endpoint] })).toBe(hasOrderedProgress(version));
    expect(await answersProgressInOrder({ endpoints: [etcd.endpoint, 'http://127.0.0.1:1'] })).toBe(false);
  });
});
