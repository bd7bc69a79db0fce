import { expect, it } from 'vitest';
import { createLoopbackTransport } from '../carriers/loopback-transport.ts';
import { wrap } from './decorate.ts';

it('a layer has the name of the transport below, also after that has negotiated another protocol', () => {
  const loopback = createLoopbackTransport({ handle: () => Promise.reject(new Error('not asked')) });
  const carrier = { ...loopback, name: 'http/2' };
  const layer = wrap(carrier, (request) => carrier.send(request));
  carrier.name = 'http/1.1';
  expect(layer.name).toBe('http/1.1');
});
