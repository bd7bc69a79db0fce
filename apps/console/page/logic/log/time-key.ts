/** Times with nanoseconds, which `Date` does not have. */

/** So many characters of a key are its second. */
export const SECOND_CHARS = 12;

/** Sorts as the times do, whatever their zones and digits. */
export function timeKey(time: string): string {
  const [, seconds = '', fraction = '', zone = ''] = /^([^.Z+]{19})(?:\.(\d+))?(.+)$/u.exec(time) ?? [];
  const epoch = Math.floor(Date.parse(seconds + zone) / 1000);
  return String(epoch).padStart(SECOND_CHARS, '0') + fraction.padEnd(9, '0');
}
