import { type Status, StatusError } from '@listwatch/api';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fixtures, jsonResponse } from '../wire/http.fixture.ts';
import { Http1Reply } from '../wire/http1-reply.ts';

const fixtures = new Fixtures();
let rejections: unknown[];
const onRejection = (reason: unknown): void => {
  rejections.push(reason);
};

beforeEach(() => {
  rejections = [];
  process.on('unhandledRejection', onRejection);
});
afterEach(async () => {
  await fixtures.stop();
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
});
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';

/** An error whose Status JSON cannot hold. */
function unprintable(): StatusError {
  const details: Record<string, unknown> = {};
  details['causes'] = details;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status that breaks its type
  return new StatusError({ kind: 'Status', apiVersion: 'v1', code: 422, message: 'x', details } as unknown as Status);
}

describe('a failure that cannot be answered as it is', () => {
  it('with a Status that cannot be printed is a 500, and the server goes on', async () => {
    const fixture = await fixtures.start(({ path }) => {
      if (path === PATH) throw unprintable();
      return jsonResponse('{}');
    });
    const { status, body } = await fixture.ask(PATH);
    expect([status, JSON.parse(body)]).toEqual([500, expect.objectContaining({ kind: 'Status', code: 500 })]);
    expect((await fixture.ask('/readyz')).status).toBe(200);
  });

  it('is answered although the error reporter throws', async () => {
    const fixture = await fixtures.start(
      () => {
        throw new Error('a bug');
      },
      {
        onError: () => {
          throw new Error('the log is full');
        },
      },
    );
    expect((await fixture.ask(PATH)).status).toBe(500);
  });

  it('cuts the connection when its answer cannot be sent', async () => {
    const errors: unknown[] = [];
    const fixture = await fixtures.start(() => jsonResponse('{}'), { onError: (error) => errors.push(error) });
    const send = vi.spyOn(Http1Reply.prototype, 'send').mockImplementation(() => {
      throw new Error('the socket is broken');
    });
    await expect(fixture.ask(PATH)).rejects.toThrow('socket hang up');
    send.mockRestore();
    expect(errors).toEqual([
      expect.objectContaining({ message: 'the socket is broken' }),
      expect.objectContaining({ message: 'the socket is broken' }),
    ]);
    expect((await fixture.ask(PATH)).status).toBe(200);
  });
});
