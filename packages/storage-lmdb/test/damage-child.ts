/** Opens each folder on the command line and prints what became of it, so that a death shows which one it was. */

import { isStorageError } from '@listwatch/storage';
import { openLmdbEngine } from '../src/index.ts';

for (const path of process.argv.slice(2)) {
  process.stdout.write(`${path} `);
  try {
    const engine = await openLmdbEngine({ path });
    const { entries } = await engine.range('');
    await engine.commit({ type: 'put', key: 'new', value: Buffer.from('x') });
    const findings = await engine.verify();
    await engine.close();
    process.stdout.write(`opened ${entries.length} ${findings.length}\n`);
  } catch (error) {
    process.stdout.write(isStorageError(error) ? `${error.code} ${error.message}\n` : `RAW ${String(error)}\n`);
  }
}
