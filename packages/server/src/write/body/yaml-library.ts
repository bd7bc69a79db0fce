/** The YAML library, loaded with the first YAML body: most servers never see any. */
import { createRequire } from 'node:module';
import type * as JsYaml from 'js-yaml';

const require = createRequire(import.meta.url);

/** Loads it by `require`, because the callers are synchronous. */
export function yaml(): typeof JsYaml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the package says it is
  return require('js-yaml') as typeof JsYaml;
}
