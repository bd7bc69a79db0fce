// Is the server in this container alive? Exits with 0 or 1. LISTWATCH_PORT says where it listens.

import { get } from 'node:https';

const request = get(
  // It asks this machine: whoever could answer in its place could kill it, too.
  {
    host: '127.0.0.1',
    port: Number(process.env.LISTWATCH_PORT ?? 6443),
    path: '/livez',
    rejectUnauthorized: false,
    timeout: 2500,
  },
  (answer) => process.exit(answer.statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
