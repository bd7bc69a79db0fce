/** What tells a server apart from others in the metrics of configurations. */

import { hostname } from 'node:os';

/** By the machine and the port. */
export function serverIdOf({ port }: { readonly port: number }): string {
  return `${hostname()}:${port}`;
}
