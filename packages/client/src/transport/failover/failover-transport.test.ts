import { FakeClock } from '@listwatch/api/fake-clock';
import { rejection, rest } from '@listwatch/conformance/transport';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Transport, TransportRequest } from '../transport.ts';
import { isTransportError, TransportError, type TransportErrorCode } from '../transport-error.ts';
import { createFailoverTransport, type FailoverTransport } from './failover-transport.ts';

/** What a scripted server does with a request. */
type Behaviour =
  | TransportErrorCode
  | 'breaks while it answers'
  | number
  | readonly [status: number, retryAfter: string];

class ScriptedServer implements Transport {
  readonly name: string;
  readonly seen: string[] = [];
  behaviour: Behaviour = 200;
  isClosed = false;

  constructor(name: string) {
    this.name = name;
  }

  async send({ method, path }: TransportRequest): Promise<Awaited<ReturnType<Transport['send']>>> {
    const { behaviour, name } = this;
    this.seen.push(`${method} ${path}`);
    if (typeof behaviour === 'string' && behaviour !== 'breaks while it answers') {
      throw new TransportError(behaviour, `${name}: ${behaviour}`);
    }
    const [status, after] = typeof behaviour === 'object' ? behaviour : [Number(behaviour) || 200, undefined];
    const body = (async function* () {
      yield Buffer.from(`${status} from ${name}`);
      if (behaviour === 'breaks while it answers') throw new TransportError('CLOSED', 'it broke');
    })();
    return { status, headers: after === undefined ? {} : { 'retry-after': after }, body };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

let clock: FakeClock;
let a: ScriptedServer;
let b: ScriptedServer;
let transport: FailoverTransport;

beforeEach(() => {
  clock = new FakeClock();
  a = new ScriptedServer('a');
  b = new ScriptedServer('b');
  transport = createFailoverTransport([a, b], { clock, random: () => 0 });
});

const request = (method: TransportRequest['method'] = 'GET', signal?: AbortSignal): TransportRequest => ({
  method,
  path: '/pods',
  headers: {},
  signal,
});

async function answer(method?: TransportRequest['method']): Promise<string> {
  return rest(await transport.send(request(method)));
}

/** Only what is not a probe. */
function requests({ seen }: ScriptedServer): readonly string[] {
  return seen.filter((line) => !line.includes('/readyz'));
}

describe('a request', () => {
  it('goes to the preferred server, and to the other while that cannot be reached', async () => {
    expect(await answer()).toBe('200 from a');
    a.behaviour = 'CONNECT';
    expect(await answer('POST')).toBe('200 from b');
    expect(await answer()).toBe('200 from b');
    // The second request knew.
    expect(requests(a)).toHaveLength(2);
  });

  it('that may have been carried out is not sent again when it is a write, but the next one goes elsewhere', async () => {
    a.behaviour = 'CLOSED';
    expect(await rejection(transport.send(request('PUT')))).toMatchObject({ code: 'CLOSED' });
    expect(b.seen).toEqual([]);
    expect(await answer('PUT')).toBe('200 from b');
  });

  it('that reads is sent again when the connection breaks before the answer, not after a timeout', async () => {
    a.behaviour = 'CLOSED';
    expect(await answer()).toBe('200 from b');
    b.behaviour = 'HEADERS_TIMEOUT';
    a.behaviour = 200;
    expect(await rejection(transport.send(request()))).toMatchObject({ code: 'HEADERS_TIMEOUT' });
    expect(requests(a)).toHaveLength(1);
  });

  it.each<[string, Behaviour]>([
    ['503', 503],
    ['502', 502],
    ['504, as a server that is behind a version answers,', 504],
    ['500 with Retry-After', [500, '2']],
  ])('that reads and is answered %s asks the other one', async (_, behaviour) => {
    a.behaviour = behaviour;
    expect(await answer()).toBe('200 from b');
  });

  it('gets the last refusal when every server refuses, and an error that names all when none answers', async () => {
    a.behaviour = 504;
    b.behaviour = 503;
    expect(await answer()).toBe('503 from b');
    b.behaviour = 'CONNECT';
    expect(await answer()).toBe('504 from a');
    a.behaviour = 'CONNECT';
    const error = await rejection(transport.send(request()));
    expect(isTransportError(error, 'CONNECT')).toBe(true);
    expect(error).toMatchObject({ message: expect.stringMatching(/a: CONNECT.*b: CONNECT|b: CONNECT.*a: CONNECT/u) });
  });

  it('that writes gets the refusal itself: what the server did is not known here', async () => {
    a.behaviour = 503;
    expect(await answer('POST')).toBe('503 from a');
    expect(await answer('POST')).toBe('200 from b');
  });

  it('is answered by a server with a fault of its own: 500 without Retry-After is no reason to move', async () => {
    a.behaviour = 500;
    expect(await answer()).toBe('500 from a');
    expect(b.seen).toEqual([]);
  });

  it('that its caller has ended says nothing about the server', async () => {
    const controller = new AbortController();
    controller.abort();
    a.behaviour = 'CLOSED';
    await rejection(transport.send(request('GET', controller.signal)));
    a.behaviour = 200;
    expect(await answer()).toBe('200 from a');
  });
});

describe('a server that failed', () => {
  it('gets requests again when it answers a probe, and no request waits for the probe', async () => {
    a.behaviour = 'CONNECT';
    await answer();
    await clock.advance(499);
    await answer();
    expect(a.seen).toHaveLength(1);
    await clock.advance(1);
    expect(await answer()).toBe('200 from b');
    expect(a.seen).toEqual(['GET /pods', 'GET /readyz']);
    a.behaviour = 200;
    await clock.advance(1000);
    expect(await answer()).toBe('200 from b');
    await clock.advance(0);
    expect(await answer()).toBe('200 from a');
  });

  it('is one whose answer broke, too: a watch that dies shows it to all', async () => {
    a.behaviour = 'breaks while it answers';
    const { body } = await transport.send(request());
    expect(await rejection(rest({ status: 200, headers: {}, body }))).toMatchObject({ code: 'CLOSED' });
    expect(await answer()).toBe('200 from b');
  });

  it('stays down while its probe is answered 500 or more', async () => {
    a.behaviour = 503;
    await answer();
    await clock.advance(500);
    await answer();
    await clock.advance(0);
    expect(await answer()).toBe('200 from b');
    expect(a.seen).toEqual(['GET /pods', 'GET /readyz']);
  });
});

describe('the report', () => {
  it('names the server in use, the requests that each one failed to another, and the probes that failed', async () => {
    transport = createFailoverTransport([a, b], { clock, random: () => 0, names: ['https://a', 'https://b'] });
    const fresh = { state: 'up', isInUse: false, movedRequests: 0, failedProbes: 0 } as const;
    await answer();
    expect(transport.servers).toEqual([
      { ...fresh, server: 'https://a', isInUse: true },
      { ...fresh, server: 'https://b' },
    ]);
    a.behaviour = 'CONNECT';
    for (let n = 0; n < 3; n += 1) await answer();
    await clock.advance(500);
    await answer();
    await clock.advance(0);
    expect(transport.servers).toEqual([
      { server: 'https://a', state: 'down', isInUse: false, movedRequests: 1, failedProbes: 1 },
      { ...fresh, server: 'https://b', isInUse: true },
    ]);
    a.behaviour = 200;
    await clock.advance(1000);
    await answer();
    await clock.advance(0);
    expect(transport.servers[0]).toEqual({
      server: 'https://a',
      state: 'up',
      isInUse: true,
      movedRequests: 1,
      failedProbes: 1,
    });
  });

  it('counts no move where the request was not sent on, and one for each server that failed it', async () => {
    a.behaviour = 'CLOSED';
    await rejection(transport.send(request('PUT')));
    expect(transport.servers.map(({ movedRequests }) => movedRequests)).toEqual([0, 0]);
    b.behaviour = 'CONNECT';
    await rejection(transport.send(request()));
    expect(transport.servers.map(({ movedRequests }) => movedRequests)).toEqual([0, 1]);
  });

  it('uses the names of the transports where none are given', () => {
    expect(transport.servers.map(({ server }) => server)).toEqual(['a', 'b']);
  });
});

describe('closing', () => {
  it('closes every server, and nothing is tried afterwards', async () => {
    await transport.close();
    expect([a.isClosed, b.isClosed]).toEqual([true, true]);
    expect(await rejection(transport.send(request()))).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(a.seen).toEqual([]);
  });
});

it('without servers is refused', () => {
  expect(() => createFailoverTransport([])).toThrow(RangeError);
});
