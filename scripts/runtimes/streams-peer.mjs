// A server of exec and port-forward, for the program that tries a client's streams: what it is sent comes back.

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { issueCertificate } from '@listwatch/server/internal';
import { WebSocketServer } from 'ws';

const HOUR_MS = 3_600_000;
const TOKEN = 'of-the-streams';
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const MISSING = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'NotFound',
  code: 404,
  message: 'pods "gone" not found',
});

/** Starts it on loopback, over TLS with an authority of its own. */
export async function startStreamsPeer() {
  const { ca, cert, key } = certificate();
  const server = createServer({ cert, key });
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => PROTOCOLS.find((name) => offered.has(name)) ?? false,
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(socket, 401, '{}');
    if (request.url.includes('/pods/gone/')) return refuse(socket, 404, MISSING);
    sockets.handleUpgrade(request, socket, head, request.url.includes('/portforward') ? forward : repeat);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'c',
        cluster: {
          server: `https://127.0.0.1:${server.address().port}`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'u', user: { token: TOKEN } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  const close = () => {
    for (const client of sockets.clients) client.terminate();
    server.close();
    server.closeAllConnections();
  };
  return { kubeconfig: JSON.stringify(config), close };
}

/** A command that repeats its input, and ends with it. */
function repeat(socket) {
  socket.on('message', (data) => {
    if (data[0] === 0) socket.send(Buffer.concat([Buffer.of(1), data.subarray(1)]));
    if (data[0] !== 255) return;
    socket.send(Buffer.concat([Buffer.of(3), Buffer.from('{"metadata":{},"status":"Success"}')]));
    socket.close(1000);
  });
}

/** A port whose program repeats what it hears. */
function forward(socket) {
  for (const channel of [0, 1]) socket.send(Buffer.of(channel, 80, 0));
  socket.on('message', (data) => socket.send(data));
}

function refuse(socket, status, body) {
  const head = ['content-type: application/json', `content-length: ${body.length}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status} Refused\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

function certificate() {
  const [authority, key] = [newKey(), newKey()];
  const subject = { commonName: 'streams' };
  const times = { notBefore: new Date(Date.now() - HOUR_MS), notAfter: new Date(Date.now() + HOUR_MS) };
  const issuer = { subject, key: authority };
  const use = { type: 'server', dnsNames: [], ipAddresses: ['127.0.0.1'] };
  return {
    ca: issueCertificate({ subject, use: { type: 'authority' }, key: authority, issuer, ...times }),
    cert: issueCertificate({ subject: { commonName: 'peer' }, use, key, issuer, ...times }),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKey() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
