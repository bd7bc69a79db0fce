// Serves the built page and the door to the cluster: put your login in front of both.

import { fileURLToPath } from 'node:url';
import { connect } from '@listwatch/client';
import { clusterDoor } from './cluster-door.ts';
import { pageServer } from './page-server.ts';

const server = pageServer(fileURLToPath(new URL('../dist/', import.meta.url)), clusterDoor(await connect()));
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () =>
  console.log('the dashboard is at', server.address()),
);
