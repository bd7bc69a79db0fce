/** The version of this package. */

import { readFileSync } from 'node:fs';

/** Read from the manifest, which stands beside `src` and `dist` alike. */
export function serverVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}
