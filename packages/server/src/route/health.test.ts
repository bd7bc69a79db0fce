import { describe, expect, it } from 'vitest';
import { Health, type HealthEndpoint } from './health.ts';
import { parseRoute } from './parse-route.ts';

function health(): Health {
  const checks = new Health();
  checks.add({ name: 'storage', check: async () => {} });
  checks.add({
    name: 'cache',
    endpoints: ['readyz'],
    check: () => {
      throw new Error('still reading');
    },
  });
  return checks;
}

async function ask(endpoint: HealthEndpoint, name = '', query = ''): Promise<readonly [number, string]> {
  const { status, body } = await health().answer(endpoint, name, parseRoute('GET', { path: `/${endpoint}`, query }));
  return [status, body.toString()];
}

describe('health', () => {
  it('is ok in one word, and line by line when asked', async () => {
    expect(await ask('livez')).toEqual([200, 'ok']);
    expect(await ask('livez', '', 'verbose')).toEqual([200, '[+]ping ok\n[+]storage ok\nlivez check passed\n']);
  });

  it('that fails tells every check, but not why', async () => {
    expect(await ask('readyz')).toEqual([
      500,
      '[+]ping ok\n[+]storage ok\n[-]cache failed: reason withheld\nreadyz check failed\n',
    ]);
  });

  it('tells why a public check fails, and the note of one that is well', async () => {
    const checks = new Health();
    checks.add({ name: 'disk', isPublic: true, check: () => Promise.reject(new Error('the disk is full')) });
    checks.add({ name: 'decoding', check: () => {}, note: () => '2 values' });
    const { body } = await checks.answer('readyz', '', parseRoute('GET', { path: '/readyz', query: '' }));
    expect(body.toString()).toBe(
      '[+]ping ok\n[-]disk failed: the disk is full\n[+]decoding ok: 2 values\nreadyz check failed\n',
    );
  });

  it('leaves out what is excluded, and says so of what it cannot exclude', async () => {
    expect(await ask('readyz', '', 'exclude=cache')).toEqual([200, 'ok']);
    expect(await ask('readyz', '', 'verbose&exclude=cache&exclude=x')).toEqual([
      200,
      '[+]ping ok\n[+]storage ok\n[+]cache excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n',
    ]);
  });

  it('answers for one check, with the reason', async () => {
    expect(await ask('readyz', 'ping')).toEqual([200, 'ok']);
    expect(await ask('readyz', 'cache')).toEqual([500, 'internal server error: still reading\n']);
    expect(await ask('readyz', 'nope')).toEqual([404, '404 page not found\n']);
    expect(await ask('livez', 'cache')).toEqual([404, '404 page not found\n']);
  });

  it('refuses a name that is taken or no path segment, and forgets a check that is taken away', async () => {
    const checks = new Health();
    const remove = checks.add({ name: 'a', check: () => {} });
    expect(() => checks.add({ name: 'a', check: () => {} })).toThrow(TypeError);
    expect(() => checks.add({ name: 'a/b', check: () => {} })).toThrow(TypeError);
    remove();
    checks.add({ name: 'a', check: () => {} });
  });
});
