/** Webhooks that do as they like, and the namespace that they watch over. */

import type { ServerResponse } from 'node:http';
import type { Json } from '../src/start/in-process-server.fixture.ts';
import {
  type HookAnswer,
  type HookedServer,
  patchOf,
  reviewOf,
} from '../src/write/admission/webhooks/hook-server.fixture.ts';
import type { HookDecision } from './hooked-history.fixture.ts';

/** The webhooks that decide. */
export const HOOKS = ['one', 'two'];
/** The key of the ConfigMaps of the namespace. */
export const MAPS_FOLDER = '/registry/configmaps/ns-1/';

/** Numbers below `n`, the same for the same seed. */
export function random(seed: number): (n: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (n) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** How a webhook is. */
export interface Mood {
  readonly pick: (n: number) => number;
  /** It misbehaves in seven of so many answers, and is late with two. */
  readonly outOf: number;
  /** Allows what it has refused, so that a run has what may not be. Default: false. */
  readonly isDeaf?: boolean;
}

/** Answers after so many turns of the event loop. */
function late(response: ServerResponse, review: Json, turns: number): undefined {
  const wait = (left: number): void => {
    if (left > 0) setImmediate(wait, left - 1);
    else response.end(JSON.stringify(review));
  };
  wait(turns);
}

/** A webhook that does as it likes, and notes what it has said. */
export function moody(hook: string, { pick, outOf, isDeaf = false }: Mood, decisions: HookDecision[]): HookAnswer {
  return (review: Json, response) => {
    const write: string = review.request.object.data.write;
    const note = (verdict: HookDecision['verdict']): unknown => decisions.push({ hook, write, verdict });
    switch (pick(outOf)) {
      case 0:
        note('failed');
        response.destroy();
        return undefined;
      case 1:
        note('failed');
        response.writeHead(302, { location: '/allowed' });
        response.end();
        return undefined;
      case 2:
        note('failed');
        response.end('{"kind":"AdmissionReview","respo');
        return undefined;
      case 3: {
        note('refused');
        // A second answer that says the opposite comes right behind.
        const texts = [{ allowed: false }, { allowed: true }].map((own) => JSON.stringify(reviewOf(review, own)));
        const head = 'HTTP/1.1 200 OK\r\ncontent-length: ';
        response.socket?.write(texts.map((text) => `${head}${Buffer.byteLength(text)}\r\n\r\n${text}`).join(''));
        return undefined;
      }
      case 4:
        note('failed');
        // It never answers: the time of the call ends it.
        return undefined;
      case 5:
      case 6:
        note('refused');
        return { allowed: isDeaf };
      case 7:
      case 8:
        note('allowed');
        // Other writes, and the end of a server, come in between, and now and then the end of the call.
        return late(response, reviewOf(review, { allowed: true }), 1 + pick(12));
      default:
        note('allowed');
        return { allowed: true };
    }
  };
}

/** How the webhooks are configured. */
export interface HookTerms {
  readonly timeoutSeconds: number;
  readonly failurePolicy?: 'Fail' | 'Ignore';
}

/** One object that exists before the hooks do, a quota that counts, a hook that labels and two that decide. */
export async function prepareNamespace(hooked: HookedServer, terms: HookTerms): Promise<string> {
  const { server, hook } = hooked;
  const ns = await hooked.namespace();
  const hard = { 'count/configmaps': '1000' };
  const quotas = `/api/v1/namespaces/${ns}/resourcequotas`;
  const { metadata } = await server.ok('POST', quotas, { metadata: { name: 'q' }, spec: { hard } });
  const status = { hard, used: { 'count/configmaps': '0' } };
  await server.ok('PUT', `${quotas}/q/status`, { metadata, spec: { hard }, status });
  await server.ok('GET', quotas);
  const maps = `/api/v1/namespaces/${ns}/configmaps`;
  await server.ok('POST', maps, { metadata: { name: 'shared' }, data: { write: 'first' } });
  await hooked.configure('Mutating', hooked.hookOf(ns, 'label', { ...terms, reinvocationPolicy: 'IfNeeded' }));
  await hooked.configure('Validating', ...HOOKS.map((name) => hooked.hookOf(ns, name, terms)));
  hook.answers['label'] = patchOf({ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } });
  return ns;
}
