import { describeHistory, describeStorage } from '@listwatch/conformance/storage';
import { createMemoryEngine } from './memory-engine.ts';

describeStorage({
  name: 'memory',
  create: async () => createMemoryEngine(),
  capabilities: {
    durable: false,
    shared: false,
    progressRequests: true,
    expiryRevisions: 'own',
    historyBytes: true,
    alongside: false,
  },
  runs: 100,
});

describeHistory({ name: 'memory', create: async (options) => createMemoryEngine(options) });
