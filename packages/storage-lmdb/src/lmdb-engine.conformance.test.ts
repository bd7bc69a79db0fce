import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeHistory, describeStorage } from '@listwatch/conformance/storage';
import { afterAll } from 'vitest';
import { openLmdbEngine } from './lmdb-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'listwatch-lmdb-'));
afterAll(() => rmSync(folder, { recursive: true }));

let stores = 0;
function newFolder(): string {
  stores += 1;
  return join(folder, String(stores));
}

describeStorage({
  name: 'lmdb',
  create: () => openLmdbEngine({ path: newFolder() }),
  capabilities: {
    durable: true,
    shared: false,
    progressRequests: true,
    expiryRevisions: 'own',
    historyBytes: true,
    alongside: false,
  },
});

describeHistory({ name: 'lmdb', create: (options) => openLmdbEngine({ path: newFolder(), ...options }) });
