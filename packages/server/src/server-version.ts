/** The version of this package. */

import { readFileSync } from 'node:fs';

/** Read from the manifest, which stands beside `src` and `dist` alike. `''` in a program that was bundled without it. */
export function serverVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
  } catch {
    return '';
  }
}
