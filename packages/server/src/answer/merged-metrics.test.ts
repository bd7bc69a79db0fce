import { expect, it } from 'vitest';
import { mergedMetrics } from './merged-metrics.ts';

it('samples of readers stand with those of the primary, and say whose they are', () => {
  const own = '# HELP a first\n# TYPE a counter\na 1\n\n# HELP b second\n# TYPE b gauge\nb{x="y"} 2\n';
  const reader =
    '# HELP b second\n# TYPE b gauge\nb{x="z"} 3\n\n# HELP c third\n# TYPE c counter\nc 4\n\n# HELP a first\n# TYPE a counter\na 5\n';
  expect(mergedMetrics(own, new Map([['1', reader]]))).toBe(
    '# HELP a first\n# TYPE a counter\na 1\na{reader="1"} 5\n\n' +
      '# HELP b second\n# TYPE b gauge\nb{x="y"} 2\nb{reader="1",x="z"} 3\n\n' +
      '# HELP c third\n# TYPE c counter\nc{reader="1"} 4\n',
  );
});

it('without readers nothing changes', () => {
  const own = '# HELP a first\n# TYPE a counter\na 1\n';
  expect(mergedMetrics(own, new Map())).toBe(own);
});
