// client-node's informer takes updates: what each costs.

import { clientNode } from './client-node-informer.mjs';
import { updateRounds } from './update-rounds.mjs';

const [url, token, namespace = '', updates] = process.argv.slice(2);
const informer = clientNode(url, token, namespace).informer();
const rounds = updateRounds(Number(updates));
informer.on('update', rounds.seen);
// It has listed and has the head of its watch then; 'connect' is told before either.
await informer.start();
rounds.start();
