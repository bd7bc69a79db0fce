/** Which code of this repository's packages a program runs that a test starts. */

/**
 * Flags of Node for such a program. It runs the sources, because a build may be stale. `npm test` has just built and says so
 * with TEST_BUILD=1: then it runs the build, which starts four times as fast and is what users install.
 */
export function packageFlags(): readonly string[] {
  return process.env['TEST_BUILD'] === '1' ? [] : ['--conditions=@listwatch/source'];
}
