/** Many informers in one process. */

import { expect } from 'vitest';
import { eventually } from '../storage/eventually.ts';
import type { RuntimeSection } from './runtime-suite.ts';

const CROWD = 1000;
const WRITTEN = [0, 7, 499, 999];

export const crowdCases: RuntimeSection = {
  title: 'a crowd',
  calm: false,
  cases: [
    {
      title: `of ${CROWD} informers is live on as few connections as the server's limit of streams allows, and all are told`,
      needs: ['connections'],
      run: async (test) => {
        // One signal for all, as a program has; Node must not take that for a leak.
        const { signal } = new AbortController();
        const crowd = Array.from({ length: CROWD }, (_, i) => {
          return test.informer({ fieldSelector: `metadata.name=n${i}`, signal });
        });
        await Promise.all(crowd.map(({ synced }) => synced));
        expect(crowd.filter(({ status }) => status.phase !== 'live')).toEqual([]);
        const { open, watchesEach } = test.connections;
        expect(open).toBe(Math.ceil(CROWD / watchesEach));
        for (const i of WRITTEN) await test.add(`n${i}`);
        await eventually('each of them has its object', () => WRITTEN.every((i) => crowd[i]?.store.size === 1));
        expect(crowd.reduce((sum, { store }) => sum + store.size, 0)).toBe(WRITTEN.length);
        await Promise.all(crowd.map((one) => one.close()));
        await test.cluster.close();
        await eventually('the connections are closed', () => test.connections.open === 0);
      },
    },
  ],
};
