import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

async function echo(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data');
  socket.write(text);
  return String((await answer)[0]);
}

/** `once` of Node would reject with the reset that comes before the close. */
function closed(socket: Socket | undefined): Promise<void> {
  return new Promise((resolve) => socket?.on('close', () => resolve()));
}

describe('TCP proxy', () => {
  let service: Server;
  let proxy: TcpProxy;
  /** The service's side of the connections. */
  let served: Socket[];

  beforeEach(async () => {
    served = [];
    service = createServer({ allowHalfOpen: true }, (socket) => {
      served.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => socket.write(data));
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    proxy = await startTcpProxy(typeof address === 'object' && address !== null ? address.port : 0);
  });

  afterEach(async () => {
    await proxy.close();
    for (const socket of served) socket.destroy();
    service.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  it('forwards both ways', async () => {
    const socket = await open();
    expect(await echo(socket, 'hello')).toBe('hello');
    expect(proxy.connections).toBe(1);
    expect(proxy.downstreamBytes).toBe(5);
  });

  it('a cut ends both sides and lets new connections in', async () => {
    const socket = await open();
    await echo(socket, 'x');
    const bothClosed = Promise.all([closed(socket), closed(served[0])]);
    proxy.cut();
    await bothClosed;
    expect(await echo(await open(), 'again')).toBe('again');
  });

  it('a cut after N bytes breaks in the middle of an answer', async () => {
    const socket = await open();
    await echo(socket, 'x');
    proxy.cutAfter(10);
    const gone = closed(socket);
    socket.write('0123456789');
    await gone;
    expect(proxy.connections).toBe(0);
  });

  it('a stall is silent, and everything arrives when it ends', async () => {
    const socket = await open();
    await echo(socket, 'x');
    proxy.stall();
    const late = await open();
    const answers = Promise.all([echo(socket, 'one'), echo(late, 'two')]);
    expect(proxy.downstreamBytes).toBe(1);
    proxy.flow();
    expect(await answers).toEqual(['one', 'two']);
  });

  it('a delay keeps the order of what is on its way, also when it changes', async () => {
    const socket = await open();
    proxy.delay(30);
    let sent = '';
    const received = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (data: Buffer) => {
        text += String(data);
        if (text.endsWith('.')) resolve(text);
      });
    });
    for (let n = 0; n < 60; n += 1) {
      if (n === 30) proxy.delay(5);
      if (n === 40) proxy.delay(0);
      const part = `${n},`;
      sent += part;
      socket.write(part);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    socket.write('.');
    expect(await received).toBe(`${sent}.`);
  });

  it('a half-close ends what the client reads and not what it writes', async () => {
    const socket = await open();
    await echo(socket, 'x');
    const ended = once(socket, 'end');
    socket.resume();
    proxy.halfClose();
    await ended;
    const arrived = once(served[0] ?? socket, 'data');
    socket.write('still here');
    expect(String((await arrived)[0])).toBe('still here');
    socket.destroy();
  });

  it('refuses new connections and accepts them again on the same port', async () => {
    const socket = await open();
    proxy.refuse();
    const refused = connect(proxy.port, '127.0.0.1');
    const [error] = await once(refused, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await echo(socket, 'old one lives')).toBe('old one lives');
    await proxy.accept();
    expect(await echo(await open(), 'new')).toBe('new');
  });
});
