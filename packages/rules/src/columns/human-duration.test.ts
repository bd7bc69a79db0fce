import { describe, expect, it } from 'vitest';
import { ageOf, humanDuration } from './human-duration.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('humanDuration', () => {
  it.each([
    [-3 * SECOND, '<invalid>'],
    [-SECOND, '0s'],
    [999, '0s'],
    [5 * SECOND, '5s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + 30 * SECOND, '2m30s'],
    [9 * MINUTE + 59 * SECOND, '9m59s'],
    [10 * MINUTE + 30 * SECOND, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + 5 * MINUTE, '3h5m'],
    [8 * HOUR + 5 * MINUTE, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + 3 * HOUR, '2d3h'],
    [8 * DAY + 3 * HOUR, '8d'],
    [700 * DAY, '700d'],
    [730 * DAY, '2y'],
    [740 * DAY, '2y10d'],
    [8 * 365 * DAY + 40 * DAY, '8y'],
  ])('shows %d ms as %s', (milliseconds, text) => {
    expect(humanDuration(milliseconds)).toBe(text);
  });
});

describe('ageOf', () => {
  it('counts from the timestamp to now', () => {
    expect(ageOf('2024-01-01T00:00:00Z', Date.parse('2024-01-01T00:02:30Z'))).toBe('2m30s');
  });

  it.each([undefined, null, 'soon'])('does not know the age of %s', (timestamp) => {
    expect(ageOf(timestamp, 0)).toBe('<unknown>');
  });
});
