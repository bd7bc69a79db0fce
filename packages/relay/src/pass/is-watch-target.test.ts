import { expect, it } from 'vitest';
import { isWatchTarget } from './is-watch-target.ts';

it.each([
  ['/api/v1/pods?watch=true', true],
  ['/api/v1/pods?resourceVersion=5&watch=1', true],
  ['/apis/a.example.com/v1/things?watch=True&limit=1', true],
  ['/api/v1/watch/namespaces/a/pods', true],
  ['/apis/apps/v1/watch/deployments', true],
  ['/api/v1/pods', false],
  ['/api/v1/pods?watch=false', false],
  ['/api/v1/pods?watch=', false],
  ['/api/v1/pods?nowatch=true', false],
  ['/api/v1/namespaces/watch/pods', false],
  ['/api/v1/pods?labelSelector=watch%3Dtrue', false],
])('%s is a watch: %s', (target, expected) => {
  expect(isWatchTarget(target)).toBe(expected);
});
