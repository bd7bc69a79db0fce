/** Memory of a server without its garbage. */

import { resident } from './process-facts.ts';
import type { Target } from './target.ts';

/** Resident memory, without the pages of mapped files, when garbage has been collected, as far as the server can be asked to. */
export async function settledBytes(target: Target): Promise<number> {
  for (let i = 0; i < 3; i += 1) await target.collect?.();
  return resident(target.pid).own;
}
