/** Loaded by `--import` into programs that tests start: leaves the rights that their controllers have used when they exit. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { noteRights } from './controller-rights.mjs';

const { TEST_CONTROLLER_RIGHTS: folder } = process.env;
if (folder !== undefined && isMainThread) {
  const rights = new Set();
  noteRights(rights);
  process.on('exit', () => {
    if (rights.size === 0) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${process.pid}.jsonl`, [...rights].join('\n'));
  });
}
