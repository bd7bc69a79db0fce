import { expect, it } from 'vitest';
import { shownOnce } from './shown-once.ts';

const warning = (text: string) => ({ code: 299, agent: '-', text, method: 'GET', path: '/' });

it('a warning is shown once, whatever asked for it', () => {
  const lines: string[] = [];
  const onWarning = shownOnce((line) => lines.push(line));
  for (const text of ['old', 'old', 'new\u001B[2J', 'old']) onWarning(warning(text));
  expect(lines).toEqual(['Warning: old', 'Warning: new?[2J']);
});

it('a server that never says the same does not fill the memory', () => {
  let shown = 0;
  const onWarning = shownOnce(() => (shown += 1));
  for (let count = 0; count < 5000; count += 1) onWarning(warning(String(count)));
  onWarning(warning('0'));
  onWarning(warning('4999'));
  expect(shown).toBe(5001);
});
