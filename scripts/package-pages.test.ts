import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

// npm packs LICENSE and README.md from the folder of the package only, and leaves out symbolic links.
it.each(publicPackages())('$name has a README of its own and a copy of the LICENSE', ({ name, folder }) => {
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  expect(readFileSync(join(folder, 'README.md'), 'utf8').split('\n')[0]).toBe(`# ${name}`);
});
