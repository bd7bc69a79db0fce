/** Runs that may take as long as they need, beside `npm test`, which has ten minutes on two cores. */

/** Is this `npm run test:long`? */
export const isLongRun: boolean = process.env['LONG_TESTS'] === '1';

/** How many rounds, objects or seeds a test takes: few enough for `npm test`, or as many as the behaviour is meant for. */
export function amount(usual: number, long: number): number {
  return isLongRun ? long : usual;
}
