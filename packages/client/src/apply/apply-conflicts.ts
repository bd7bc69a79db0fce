/** The conflicts of a refused server-side apply. */

import { isStatusError } from '@listwatch/api';

/** A field that another manager owns with another value. */
export interface ApplyConflict {
  /** The other manager; `''` when the server does not name it. */
  readonly manager: string;
  /** The field, as in `.spec.replicas`. */
  readonly field: string;
  /** What the server says, as in `conflict with "kubectl" using apps/v1`. */
  readonly message: string;
}

const REASON = 'FieldManagerConflict';

/** `"` and `\` in the name of a manager are escaped, as in JSON. */
const MANAGER = /^conflict with ("(?:[^"\\]|\\.)*")/u;

/**
 * The conflicts in the error of an apply; none when it is another error.
 *
 * @example
 * await cluster.apply(deployments, wanted).catch((error) => console.log(applyConflicts(error)));
 */
export function applyConflicts(error: unknown): readonly ApplyConflict[] {
  if (!isStatusError(error)) return [];
  const causes = error.status.details?.causes ?? [];
  return causes
    .filter(({ reason }) => reason === REASON)
    .map(({ field, message }) => {
      const text = typeof message === 'string' ? message : '';
      return { manager: managerIn(text), field: typeof field === 'string' ? field : '', message: text };
    });
}

function managerIn(message: string): string {
  const quoted = MANAGER.exec(message)?.[1];
  if (quoted === undefined) return '';
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Go escapes control characters in a way that JSON does not have.
    return quoted.slice(1, -1);
  }
}
