import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ScriptedBody, ScriptedTransport } from '../../../test/scripted-transport.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { gzipAnswers, isPacked } from './gzip-answers.ts';

const PACKED = { 'content-encoding': 'gzip', 'content-length': '7', vary: 'Accept-Encoding' };
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `line ${i}`));
const packed = gzipSync(text);

const list: TransportRequest = {
  method: 'GET',
  path: '/api/v1/pods?limit=500',
  headers: { accept: 'application/json' },
};

function answering(body: ScriptedBody | string, headers: Record<string, string> = PACKED): ScriptedTransport {
  return new ScriptedTransport({ body, headers });
}

function send(transport: ScriptedTransport, request: TransportRequest = list): Promise<TransportResponse> {
  return gzipAnswers()(transport).send(request);
}

async function textOf({ body }: TransportResponse): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

describe('a list', () => {
  it.each([1, 100, packed.length])('that comes packed, in pieces of %i, is unpacked', async (size) => {
    const pieces = Array.from({ length: Math.ceil(packed.length / size) }, (_, i) =>
      packed.subarray(i * size, (i + 1) * size),
    );
    const transport = answering(new ScriptedBody(...pieces.slice(0, 400), ...rest(pieces)).end());
    const response = await send(transport);
    expect(response.headers).toEqual({ vary: 'Accept-Encoding' });
    expect(await textOf(response)).toBe(text);
    expect(transport.requests[0]?.headers).toEqual({ accept: 'application/json', 'accept-encoding': 'gzip' });
  });

  it('that comes as it is stays as it is', async () => {
    const headers = { 'content-length': String(text.length) };
    const response = await send(answering(new ScriptedBody(text).end(), headers));
    expect(response.headers).toEqual(headers);
    expect(await textOf(response)).toBe(text);
  });

  it('whose bytes are cut is not taken for whole', async () => {
    const response = await send(answering(new ScriptedBody(packed.subarray(0, -20)).end()));
    await expect(textOf(response)).rejects.toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('unpacked'),
    });
  });

  it('whose bytes are damaged fails', async () => {
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, 1000, 1100);
    const response = await send(answering(new ScriptedBody(damaged).end()));
    await expect(textOf(response)).rejects.toMatchObject({ code: 'PROTOCOL' });
  });

  it('whose connection breaks fails with what broke it', async () => {
    const broken = new TransportError('CLOSED', 'the connection broke');
    const response = await send(answering(new ScriptedBody(packed.subarray(0, 500), broken)));
    await expect(textOf(response)).rejects.toBe(broken);
  });

  it('that its reader leaves is closed', async () => {
    const body = new ScriptedBody(packed.subarray(0, -20));
    const response = await send(answering(body));
    for await (const piece of response.body) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(body.isClosed).toBe(true);
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const body = new ScriptedBody(packed.subarray(0, 500));
    const response = await send(answering(body), { ...list, signal: controller.signal });
    const read = textOf(response);
    controller.abort('enough');
    await expect(read).rejects.toBe('enough');
  });

  it('is not read faster than it is taken', async () => {
    const body = new ScriptedBody(...Array.from({ length: 50 }, () => gzipSync(Buffer.alloc(1e6))));
    const response = await send(answering(body));
    await response.body[Symbol.asyncIterator]().next();
    expect(body.asked).toBeLessThan(3);
  });
});

it.each<[string, TransportRequest]>([
  ['a watch', { ...list, path: '/api/v1/pods?watch=true' }],
  ['a write', { ...list, method: 'POST' }],
  ['a request that asks for an encoding itself', { ...list, headers: { 'accept-encoding': 'br' } }],
])('%s is sent as it is', async (_, request) => {
  const transport = answering('');
  await send(transport, request);
  expect(transport.requests[0]?.headers).toEqual(request.headers);
});

it.each([
  ['https://10.0.0.1:6443', undefined, undefined, true],
  ['https://kube.example.org/prefix', undefined, undefined, true],
  ['https://127.0.0.1:6443', undefined, undefined, false],
  ['https://127.12.0.1', undefined, undefined, false],
  ['https://localhost:6443', undefined, undefined, false],
  ['https://[::1]:6443', undefined, undefined, false],
  ['https://10.0.0.1', false, undefined, false],
  ['https://10.0.0.1', false, true, true],
  ['https://127.0.0.1', undefined, true, true],
  ['https://10.0.0.1', undefined, false, false],
])('%s, of which a kubeconfig says %s and an option %s: %s', (server, described, wanted, isAskedFor) => {
  expect(isPacked({ servers: [server], compression: described }, { compression: wanted })).toBe(isAskedFor);
});

/** What is left behind the first 400 pieces, in one: a piece for each byte would take long. */
function rest(pieces: readonly Buffer[]): readonly Buffer[] {
  return pieces.length > 400 ? [Buffer.concat(pieces.slice(400))] : [];
}
