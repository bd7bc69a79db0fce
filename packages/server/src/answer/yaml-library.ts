/** The YAML library, loaded when somebody first writes or wants YAML: it is nine megabytes, and most servers never see any. */
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

/** By `require`, for those who need it cannot wait; Node loads the same module that an import would. */
export function yaml(): typeof Yaml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the package says it is
  return require('yaml') as typeof Yaml;
}
