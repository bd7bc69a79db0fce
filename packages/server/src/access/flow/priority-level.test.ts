import { expect, it } from 'vitest';
import { MANDATORY_LEVELS, PriorityLevel } from './priority-level.ts';

it('remembers the flows that are used, and forgets those that came once', () => {
  const config = MANDATORY_LEVELS.get('catch-all') ?? expect.fail('there is no catch-all');
  const listener = { dispatched: () => undefined, blocked: () => undefined, changed: () => undefined };
  const level = new PriorityLevel('catch-all', config, listener, 0);
  const regular = level.flow('catch-all', 'regular');
  for (let user = 0; user < 5000; user += 1) {
    level.flow('catch-all', `once-${user}`);
    expect(level.flow('catch-all', 'regular')).toBe(regular);
  }
  expect([...level.flows].length).toBeLessThanOrEqual(1024);
});
