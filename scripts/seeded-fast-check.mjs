/**
 * fast-check as the tests see it (vitest.config.ts): its runs are the same each time, unless TEST_SEED says otherwise.
 * A submission must not fail by what a lucky draw finds in older code; `npm run test:seeds` draws anew.
 */

// By its path: under its name this file would import itself.
import fc from '../node_modules/fast-check/lib/fast-check.js';

fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) });

export * from '../node_modules/fast-check/lib/fast-check.js';
export default fc;
