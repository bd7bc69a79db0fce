/** Times for people. */

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
];

/** How long something took, in its largest unit and the one below: `12s`, `2m5s`, `3h`. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first === -1) return '0s';
  let rest = seconds;
  let text = '';
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const amount = Math.floor(rest / size);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * size;
  }
  return text;
}

/** The time of day where the reader is: `14:03:09`. */
export function timeOfDay(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}
