// Serves the built page and the door to the cluster: put your login in front of both.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '@listwatch/client';
import { clusterDoor } from './cluster-door.ts';

const PAGE = fileURLToPath(new URL('../dist/', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

const door = clusterDoor(await connect());
const server = createServer((request, response) => {
  if (door(request, response)) return;
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  const file = join(PAGE, normalize(path === '/' ? '/index.html' : path));
  if (!file.startsWith(PAGE) || !existsSync(file)) response.writeHead(404).end();
  else
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
});
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () =>
  console.log('the dashboard is at', server.address()),
);
