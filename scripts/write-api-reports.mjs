// `npm run api`: writes docs/api from the types as they are built now.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReports } from './api-reports.mjs';

const folder = fileURLToPath(new URL('../docs/api', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [file, text] of apiReports()) writeFileSync(join(folder, file), text);
