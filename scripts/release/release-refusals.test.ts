import { expect, it } from 'vitest';
import { publicPackages } from '../bundle.mjs';
import { PROJECT_ADDRESS } from './project-address.ts';
import { publishOrder } from './publish-order.ts';
import { type ReleaseFacts, releaseRefusals } from './release-refusals.ts';

const READY: ReleaseFacts = {
  address: 'https://example.org/owner/name',
  version: '1.2.3',
  changelog: '# Changelog\n\n## 1.2.3 (2026-11-18)\n\nx\n',
  changes: [],
  isClean: true,
  tags: ['v1.2.3'],
  upgradeFixtures: ['1.2.2', '1.2.3'],
};

it('a tagged, clean commit whose changelog tells of its version can be published', () => {
  expect(releaseRefusals(READY)).toEqual([]);
});

it.each<[string, Partial<ReleaseFacts>, RegExp]>([
  ['no address', { address: undefined }, /PROJECT_ADDRESS/u],
  ['an address with a slash at its end', { address: 'https://example.org/a/b/' }, /not https/u],
  ['changes that no release tells of', { changes: ['.changeset/a.md'] }, /release:version/u],
  ['no section in the changelog', { changelog: '## 1.2.2 (2026-11-18)' }, /CHANGELOG/u],
  ['a section without a date', { changelog: '## 1.2.3 (unreleased)' }, /CHANGELOG/u],
  ['a tree with changes', { isClean: false }, /working tree/u],
  ['a version that has left nothing to upgrade from', { upgradeFixtures: ['1.2.2'] }, /npm run upgrade:fixture/u],
  ['another tag', { tags: ['v1.2.2'] }, /no tag v1\.2\.3/u],
])('a release is refused for %s', (_, facts, reason) => {
  expect(releaseRefusals({ ...READY, ...facts })).toEqual([expect.stringMatching(reason)]);
});

it('nothing is published while the address of the project is undecided', () => {
  if (PROJECT_ADDRESS === undefined) expect(releaseRefusals({ ...READY, address: PROJECT_ADDRESS })).toHaveLength(1);
  else expect(PROJECT_ADDRESS).not.toContain('invalid');
});

it('a package is published after all that it depends on', () => {
  const packages = publicPackages();
  const order = publishOrder(packages, packages).map(({ name }) => name);
  expect(order.toSorted()).toEqual(packages.map(({ name }) => name).toSorted());
  for (const { name, manifest } of packages) {
    for (const needed of Object.keys(manifest.dependencies ?? {}).filter((one) => order.includes(one)))
      expect(order.indexOf(needed), `${needed} before ${name}`).toBeLessThan(order.indexOf(name));
  }
});
