import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { terminalsOf } from './readme-terminals.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('README begins with commands for three terminals, and each says which cluster it means', () => {
  const [first = [], ...others] = terminalsOf(readme);
  expect(first).toEqual(['npm start']);
  expect(others).toHaveLength(2);
  // A shell does not know what was exported in another one: kubectl would talk to the reader's own cluster.
  for (const [before] of others) expect(before).toBe('export KUBECONFIG=.listwatch/kubeconfig');
});

it('comments are no part of a command, and only they open a terminal', () => {
  const text =
    '**In thirty seconds**, so:\n\n    a b  # c\n    d "#"   # in a second terminal\n    e\n\ntext\n\n    f\n';
  expect(terminalsOf(text)).toEqual([['a b'], ['d "#"', 'e']]);
});
