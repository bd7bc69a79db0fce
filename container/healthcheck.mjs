// Is the program in this container alive? Exits with 0 or 1. It asks the server at LISTWATCH_PORT; for another program, such as the relay,
// LISTWATCH_HEALTH_URL says where: http://127.0.0.1:6445/livez

import * as http from 'node:http';
import * as https from 'node:https';

const url = process.env.LISTWATCH_HEALTH_URL ?? `https://127.0.0.1:${process.env.LISTWATCH_PORT ?? 6443}/livez`;
const { get } = url.startsWith('http:') ? http : https;
// It asks this machine: whoever could answer in its place could kill it, too.
const request = get(url, { rejectUnauthorized: false, timeout: 2500 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
