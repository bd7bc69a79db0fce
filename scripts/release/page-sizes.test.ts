import { expect, it } from 'vitest';
import { pageSizes } from './page-sizes.ts';

const CONNECT = `import { connect } from '@listwatch/client';
export const cluster = await connect({ server: location.origin });`;

/**
 * A page that requests and watches, and a page that follows a cluster. They may have 25 KB and 42 KB (docs/design/0049). Lower a
 * budget when a page has become smaller; raise one only with a line in that note.
 */
const BUDGETS: Readonly<Record<string, { readonly code: string; readonly bytes: number }>> = {
  client: { code: CONNECT, bytes: 24_100 },
  'client and informer': {
    code: `${CONNECT}
import { pods } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';
export const cache = informer(cluster, pods);`,
    bytes: 41_900,
  },
};

it('what a browser downloads for the client and for an informer stays within its budget', async () => {
  const sizes = await pageSizes(Object.fromEntries(Object.entries(BUDGETS).map(([name, { code }]) => [name, code])));
  for (const [name, { bytes }] of Object.entries(BUDGETS)) {
    expect(sizes[name], `bytes of gzip for ${name}`).toBeLessThanOrEqual(bytes);
    // A budget with much room lets growth go unseen.
    expect(sizes[name], `bytes of gzip for ${name}: lower its budget`).toBeGreaterThan(bytes * 0.93);
  }
}, 120_000);
