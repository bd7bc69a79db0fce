import { Server } from 'node:net';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { Fixtures, jsonResponse, MASTER } from './http.fixture.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

it('a connection that cannot be accepted is reported, on either port, and the server goes on', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen');
  const errors: unknown[] = [];
  const fixture = await fixtures.start(() => jsonResponse('{}'), {
    insecurePort: 0,
    onError: (error) => errors.push(error),
  });
  const servers = listen.mock.contexts;
  listen.mockRestore();
  expect(servers).toHaveLength(2);
  // Node emits this for a failed accept(2); without a listener it throws.
  for (const server of servers) if (server instanceof Server) server.emit('error', new Error('accept EMFILE'));
  expect(errors).toEqual([new Error('accept EMFILE'), new Error('accept EMFILE')]);
  expect((await fixture.ask('/api')).status).toBe(200);
  expect(await fixture.askInsecure('/api', MASTER)).toBe(200);
});
