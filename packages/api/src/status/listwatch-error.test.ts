import { expect, test } from 'vitest';
import { ListWatchError } from './listwatch-error.ts';

class Broken extends ListWatchError {
  override readonly code = 'BROKEN' as const;
}

test('an error is named after its class and keeps its cause', () => {
  const cause = new Error('why');
  const error = new Broken('what', { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'Broken', code: 'BROKEN', message: 'what', cause });
});

test('an error without a cause has no cause member', () => {
  expect(Object.hasOwn(new Broken('what'), 'cause')).toBe(false);
});
