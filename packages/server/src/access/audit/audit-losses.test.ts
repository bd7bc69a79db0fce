import { expect, it } from 'vitest';
import { LossesUnderTest } from './audit-event.fixture.ts';

const line = (plugin: string, events: number): string =>
  `Error in audit plugin '${plugin}' affecting ${events} audit events: full`;

it('the first loss of a plugin is told at once, the others after half a minute, though no other follows', async () => {
  const { losses, told, clock, counts } = new LossesUnderTest();
  losses.add('log', 1, new Error('full'));
  losses.add('log', 2, new Error('full'));
  losses.add('webhook', 1, new Error('full'));
  expect(told).toEqual([line('log', 1), line('webhook', 1)]);
  losses.add('log', 3, new Error('full'));
  await clock.advance(30_000);
  expect(told.slice(2)).toEqual([line('log', 5)]);
  await clock.advance(30_000);
  losses.add('log', 7, new Error('full'));
  expect(told.slice(3)).toEqual([line('log', 7)]);
  expect(Object.fromEntries(counts.errors)).toEqual({ log: 13, webhook: 1 });
  await clock.advance(30_000);
  expect(clock.pending).toBe(0);
});

it('what was lost late is told when the server ends, and afterwards at once', () => {
  const { losses, told, clock } = new LossesUnderTest();
  losses.add('log', 1, 'full');
  losses.add('log', 2, 'full');
  losses.close();
  expect(told).toEqual([line('log', 1), line('log', 2)]);
  losses.add('log', 3, 'full');
  losses.add('log', 4, 'full');
  expect(told.slice(2)).toEqual([line('log', 3), line('log', 4)]);
  expect(clock.pending).toBe(0);
});
