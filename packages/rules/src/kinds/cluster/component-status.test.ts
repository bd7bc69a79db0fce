import { expect, it } from 'vitest';
import { builtInKind } from '../../strategy/built-in-definitions.fixture.ts';

it('a ComponentStatus is answered with a warning that it is deprecated', () => {
  expect(builtInKind('core/v1.ComponentStatus').deprecation).toBe('v1 ComponentStatus is deprecated in v1.19+');
});
