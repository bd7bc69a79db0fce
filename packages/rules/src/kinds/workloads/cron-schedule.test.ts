import { describe, expect, it } from 'vitest';
import { scheduleProblem } from './cron-schedule.ts';

const number = (text: string) => `failed to parse int from ${text}: strconv.Atoi: parsing "${text}"`;

describe('a schedule', () => {
  it.each([
    '* * * * *',
    ' * * * * * ',
    '*/5 0-23/2 1,15 * ?',
    '* * * JAN mon-FRI',
    '*/99 * * * *',
    '5/100 * * * *',
    '0 0 31 2 *',
    '@hourly',
    '@annually',
    '@every 1h30m',
    '@every 0s',
    'TZ=Europe/Berlin * * * * *',
  ])('%j is legal', (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  });

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['* * * * *  *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* 24 * * *', 'end of range (24) above maximum (23): 24'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * 13 *', 'end of range (13) above maximum (12): 13'],
    ['* * * * 8', 'end of range (8) above maximum (6): 8'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['a * * * *', `${number('a')}: invalid syntax`],
    ['-1 * * * *', `${number('')}: invalid syntax`],
    ['* * * FOO *', `${number('FOO')}: invalid syntax`],
    ['99999999999999999999 * * * *', `${number('99999999999999999999')}: value out of range`],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['@', 'unrecognized descriptor: @'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['CRON_TZ=Mars/X * * * * *', 'provided bad location Mars/X: unknown time zone Mars/X'],
    ['TZ=UTC', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
  ])('%j has a problem', (schedule, expected) => {
    expect(scheduleProblem(schedule)).toBe(expected);
  });

  it('of a megabyte is read in one pass', () => {
    expect(scheduleProblem(`${'1,'.repeat(500_000)}1 * * * *`)).toBeUndefined();
    expect(scheduleProblem(`@every ${'1h'.repeat(500_000)}x`)).toContain('invalid duration');
  });
});
