/** What a kubelet does with a connection: runs the command on this machine, or connects to its ports. */

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import type { RawData } from 'ws';
import type { PeerConnection } from './stream-peer.ts';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const CLOSE = 255;

/** Runs the command of the query, as a kubelet runs it in a container. For `exec`. */
export function runCommand(connection: PeerConnection): void {
  const { query, socket } = connection;
  const [program = '', ...args] = query.getAll('command');
  const child = spawn(program, args, { stdio: 'pipe' });
  const isOpen = query.has('stdin') || query.has('input');
  if (!isOpen) child.stdin.end();
  child.stdin.on('error', () => {});
  socket.on('message', (data) => {
    const message = messageBytes(data);
    if (message[0] === STDIN && !child.stdin.write(message.subarray(1))) {
      socket.pause();
      child.stdin.once('drain', () => socket.resume());
    }
    if (message[0] === CLOSE && message[1] === STDIN) child.stdin.end();
  });
  socket.on('close', () => child.kill('SIGKILL'));
  const copied = [copy(connection, STDOUT, child.stdout), copy(connection, STDERR, child.stderr)];
  child.on('error', (error) => void finish(connection, { reason: 'InternalError', message: error.message, code: 500 }));
  child.on('close', (code) => {
    const failed = code === 0 ? undefined : exitStatus(code ?? 137);
    void Promise.all(copied).then(() => finish(connection, failed));
  });
}

async function copy(connection: PeerConnection, channel: number, source: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of source) await connection.send(channel, chunk);
}

/** Reports how a command ended, and closes. Undefined: it went well. */
export async function finish(connection: PeerConnection, failed?: object): Promise<void> {
  const status = failed === undefined ? { status: 'Success' } : { status: 'Failure', ...failed };
  await connection.send(ERROR, JSON.stringify({ metadata: {}, ...status }));
  connection.socket.close(1000);
}

/** The Status of a command that ended with a code. */
export function exitStatus(code: number): object {
  return {
    message: `command terminated with non-zero exit code: error executing command, exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** Connects to the port of the query, as a kubelet does in the network of a pod. For `portforward`. */
export function forwardConnection(connection: PeerConnection): void {
  const { query, socket } = connection;
  const port = Number(query.get('ports') ?? query.get('port'));
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port);
  void connection.send(0, number);
  void connection.send(1, number);
  const target = connect({ host: '127.0.0.1', port });
  target.on('error', (error) => void connection.send(1, `an error occurred forwarding ${port}: ${error.message}`));
  target.on('data', (chunk) => {
    target.pause();
    void connection.send(0, chunk).then(() => target.resume());
  });
  target.on('close', () => socket.close(1000));
  socket.on('message', (data) => {
    const message = messageBytes(data);
    if (message[0] === 0) target.write(message.subarray(1));
  });
  socket.on('close', () => target.destroy());
}

export function messageBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}
