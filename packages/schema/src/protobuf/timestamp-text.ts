/** Times: RFC 3339 in JSON, seconds since 1970 and a fraction in protobuf. */

/** A time. */
export interface Timestamp {
  readonly seconds: number;
  readonly micros: number;
}

/** RFC 3339 can write the years 0 to 9999. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;
/** Go's zero time, the start of year 1, stands for a missing time. */
const ZERO_SECOND = -62_135_596_800;

/** The time that a text stands for; undefined for Go's zero time. Throws a TypeError for text that is no time. */
export function timestampOf(text: string): Timestamp | undefined {
  const fraction = text.indexOf('.') === -1 ? undefined : /\.(\d+)/.exec(text)?.[1];
  const seconds = Date.parse(fraction === undefined ? text : text.replace(`.${fraction}`, '')) / 1000;
  if (!Number.isInteger(seconds)) throw new TypeError('a text that is no time cannot be written as one');
  const micros = fraction === undefined ? 0 : Number(fraction.slice(0, 6).padEnd(6, '0'));
  return seconds === ZERO_SECOND && micros === 0 ? undefined : { seconds, micros };
}

/** Is the second within the years that RFC 3339 can write? */
export function isWritableSecond(seconds: number): boolean {
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
}

/** The text of a writable second with this fraction; null for Go's zero time. */
export function timestampText({ seconds, micros }: Timestamp, fraction: string): string | null {
  if (seconds === ZERO_SECOND && micros === 0) return null;
  return new Date(seconds * 1000).toISOString().replace('.000Z', `${fraction}Z`);
}
