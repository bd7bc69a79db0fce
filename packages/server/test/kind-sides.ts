/** A kube-apiserver and a server of ours that are sent the same. */

import { startKubeApiserver } from '@listwatch/conformance/parts';
import { KIND_TABLE, type KindData } from '@listwatch/kinds/data';
import { createMemoryEngine } from '@listwatch/storage';
import { vi } from 'vitest';
import type { OwnedBody } from './kind-bodies/owned-body.ts';
import { type KindRequest, KindSide } from './kind-side.ts';
import { startTestServer } from './test-server.ts';

/** Both servers. */
export class KindSides implements AsyncDisposable {
  readonly #sides: readonly [real: KindSide, own: KindSide];
  readonly #disposables: readonly AsyncDisposable[];

  private constructor(sides: readonly [real: KindSide, own: KindSide], disposables: readonly AsyncDisposable[]) {
    this.#sides = sides;
    this.#disposables = disposables;
  }

  static async start(): Promise<KindSides> {
    const real = await startKubeApiserver({ serviceRange: '10.96.0.0/12', flags: ['--allow-privileged=true'] });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    const sides = [new KindSide(real), new KindSide(own)] as const;
    for (const side of sides) await side.start();
    return new KindSides(sides, [real, own, { [Symbol.asyncDispose]: () => engine.close() }]);
  }

  /** What they answer; `requestOf` makes the request for each of them. */
  async answers(
    requestOf: KindRequest | ((side: KindSide) => Promise<KindRequest>),
  ): Promise<readonly [real: string, own: string]> {
    const answer = async (side: KindSide): Promise<string> =>
      side.answer(typeof requestOf === 'function' ? await requestOf(side) : requestOf);
    const [real, own] = this.#sides;
    return [await answer(real), await answer(own)];
  }

  /** Waits for a definition: kube-apiserver accepts its names at once and serves its kind seconds later. */
  async established(path: string): Promise<void> {
    await vi.waitFor(
      async () => {
        for (const side of this.#sides) {
          if (JSON.stringify(await side.stored(path)).includes('"reason":"Installing"'))
            throw new Error(`${path} is not served yet`);
        }
      },
      { timeout: 60_000, interval: 100 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const side of this.#sides) side.close();
    for (const one of this.#disposables) await one[Symbol.asyncDispose]();
  }
}

/** The facts of the kind of a body. */
export function kindOf({ apiVersion, kind }: OwnedBody): KindData {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = KIND_TABLE.find((one) => one.group === group && one.version === version && one.kind === kind);
  if (found === undefined) throw new Error(`there is no kind ${apiVersion} ${kind}`);
  return found;
}

/**
 * Without ServiceCIDRs: our server gives them their finalizer and their condition itself, and the kube-controller-manager that
 * does it in Kubernetes does not run beside the kube-apiserver of these tests.
 */
export function compared(bodies: readonly OwnedBody[]): readonly OwnedBody[] {
  return bodies.filter(({ kind }) => kind !== 'ServiceCIDR');
}

/** Bodies with a title each, for `it.each`. */
export function titled(bodies: readonly OwnedBody[]): readonly (readonly [string, OwnedBody])[] {
  return bodies.map((body) => [`${body.apiVersion} ${body.kind} ${body.name ?? ''}`.trim(), body] as const);
}
