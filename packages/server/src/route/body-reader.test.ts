import { Readable } from 'node:stream';
import { GatheredBytes } from '@listwatch/api/internal';
import { expect, it, vi } from 'vitest';
import { readBodyBytes } from './body-reader.ts';
import { RequestLifetime } from './request-lifetime.ts';

const read = (chunks: readonly Buffer[]): Promise<Buffer> =>
  readBodyBytes(Readable.from(chunks, { objectMode: false }), { maxBytes: 10_000, life: new RequestLifetime() });

it('keeps a body of single bytes in few pieces: each piece takes some 100 bytes beside its own', async () => {
  const text = 'kind: ConfigMap\n'.repeat(500);
  const chunks = vi.spyOn(GatheredBytes.prototype, 'chunks');
  expect((await read(Array.from(text, (letter) => Buffer.from(letter)))).toString()).toBe(text);
  expect(chunks.mock.results.map(({ value }) => value.length < 100)).toEqual([true]);
  chunks.mockRestore();
});

it('hands out a body that came at once as it is', async () => {
  const body = Buffer.from('{}');
  expect((await read([body])).buffer).toBe(body.buffer);
  expect(await read([])).toHaveLength(0);
});

it('refuses more than the limit, also when the last byte is one too many', async () => {
  expect(await read([Buffer.alloc(9999), Buffer.alloc(1)])).toHaveLength(10_000);
  await expect(read([Buffer.alloc(10_000), Buffer.alloc(1)])).rejects.toMatchObject({ status: { code: 413 } });
});
