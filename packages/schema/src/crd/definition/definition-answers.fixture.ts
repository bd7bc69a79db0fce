/** What kube-apiserver 1.36 says of the definitions, beside their metadata. Recorded; the real tests compare it. */

import { readFileSync } from 'node:fs';

/** The errors by the name of the case; none for good definitions. */
export const DEFINITION_ANSWERS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('../../../test/data/definition-answers.json', import.meta.url), 'utf8'),
);
