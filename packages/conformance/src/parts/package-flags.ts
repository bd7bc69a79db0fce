/** Which code of this repository's packages a program runs that a test starts. */

/** Notes which rights the controllers of the program use: scripts/controller-rights-setup.ts. */
const RECORDER = new URL('../../../../scripts/controller-rights-program.mjs', import.meta.url).href;

/**
 * Flags of Node for such a program. It runs the sources, because a build may be stale. `npm test` has just built and says so
 * with TEST_BUILD=1: then it runs the build, which starts four times as fast and is what users install.
 */
export function packageFlags(): readonly string[] {
  const recorder = process.env['TEST_CONTROLLER_RIGHTS'] === undefined ? [] : ['--import', RECORDER];
  return process.env['TEST_BUILD'] === '1' ? recorder : ['--conditions=@listwatch/source', ...recorder];
}
