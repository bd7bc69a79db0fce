import { expect, it } from 'vitest';
import { relayedKinds } from '../kinds/relayed-kind.ts';
import { ReadCounts } from './read-counts.ts';

it('reads are counted by the name of the program, of which there are few', async () => {
  const [kind] = [...(await relayedKinds(['pods']))];
  if (kind === undefined) throw new Error('pods are not known');
  const counts = new ReadCounts();
  counts.cached(kind, 'list', 'kubectl/v1.36.3 (linux/amd64)');
  counts.cached(kind, 'watch', 'kubectl/v1.35.0');
  counts.cached(kind, 'list', '<script>');
  counts.cached(kind, 'list');
  for (let index = 0; index < 50; index += 1) counts.cached(kind, 'get', `agent-${index}/1`);
  expect(counts.allPrograms.get('kubectl')).toBe(2);
  expect(counts.allPrograms.get('unknown')).toBe(2);
  expect(counts.allPrograms.get('others')).toBe(32);
  expect(counts.allPrograms.size).toBe(21);
});
