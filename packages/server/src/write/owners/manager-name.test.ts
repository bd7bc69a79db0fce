import { expect, it } from 'vitest';
import { managerName } from './manager-name.ts';

it.each([
  ['kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['my tool', 'my tool'],
  ['/v1', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
  ['a\tb\u007fc/1', 'abc'],
  ['x'.repeat(140), 'x'.repeat(128)],
  ['é'.repeat(70), 'é'.repeat(64)],
  [`${'x'.repeat(127)}é`, 'x'.repeat(127)],
])('the User-Agent %.20j is the manager %.20j', (agent, name) => {
  const header = (key: string): string | undefined => (key === 'user-agent' ? agent : undefined);
  expect(managerName('', { header })).toBe(name);
  expect(managerName('given', { header })).toBe('given');
});
