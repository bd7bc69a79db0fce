import { namespaces } from '@listwatch/kinds';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { Collection, difference, NAMESPACE } from './collection.ts';

it('knows which acknowledged writes a server does not have', async () => {
  await using server = await startTestServer();
  const { cluster } = server;
  await cluster.create(namespaces, { metadata: { name: NAMESPACE } });
  const collection = new Collection(cluster);
  for (const name of ['kept', 'changed', 'deleted']) await collection.create(name, 'blue');
  const before = await collection.read();
  await collection.change('changed');
  await collection.delete('deleted');
  const { versions } = await collection.read();
  expect(collection.lostIn(versions)).toBe('');
  expect(collection.lostIn(before.versions)).toMatch(/^interop\/changed at \d+$/u);
  const without = new Map([...versions].filter(([key]) => key !== 'interop/kept'));
  expect(collection.lostIn(without)).toMatch(/^interop\/kept at \d+$/u);
  expect(difference(before.versions, versions)).toBe(
    '1 should be gone (interop/deleted); 1 of another version (interop/changed)',
  );
});
