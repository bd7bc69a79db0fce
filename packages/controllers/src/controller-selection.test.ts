import { describe, expect, it } from 'vitest';
import { ControllerNameError, selectControllers } from './controller-selection.ts';

const NAMES = ['namespace-controller', 'serviceaccount-controller', 'token-cleaner-controller'];

describe('the list of controllers', () => {
  it.each([
    [['*'], NAMES],
    [[], []],
    [['-*'], []],
    [['namespace-controller'], ['namespace-controller']],
    [['-namespace-controller'], []],
    [
      ['*', '-namespace-controller'],
      ['serviceaccount-controller', 'token-cleaner-controller'],
    ],
    [['-namespace-controller', 'namespace-controller', '*'], NAMES.slice(1)],
    [['namespace-controller', '-namespace-controller'], ['namespace-controller']],
    [['*', '-tokencleaner', '-namespace'], ['serviceaccount-controller']],
  ])('%j selects %j', (list, selected) => {
    expect(selectControllers(list, NAMES)).toEqual(selected);
  });

  it('with an unknown name is refused with all names', () => {
    for (const name of ['namespaces', '-namespaces', '', 'constructor']) {
      expect(() => selectControllers(['*', name], NAMES)).toThrow(ControllerNameError);
    }
    expect(() => selectControllers(['-namespaces'], NAMES)).toThrow(
      '"-namespaces" is not in the list of known controllers: namespace-controller, serviceaccount-controller, token-cleaner-controller',
    );
  });
});
