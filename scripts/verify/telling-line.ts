import { stripVTControlCharacters } from 'node:util';

/** What the output of a check says in one line: its first failure and how many follow, or else its count of tests or its last line. */
export function tellingLine(output: string, passed: boolean): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (passed) return lines.findLast((line) => /^Tests .*\d+ passed|^\d+ passed\b/u.test(line)) ?? lines.at(-1) ?? '';
  const failures = [...new Set(lines.filter((line) => /^(?:FAIL|×|✗)\s/u.test(line)))];
  const [first = lines.findLast((line) => /error/iu.test(line)) ?? lines.at(-1) ?? '', ...more] = failures;
  return more.length === 0 ? first : `${first} (and ${more.length} more)`;
}
