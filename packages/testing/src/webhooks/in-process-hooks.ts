/** Webhooks that the test server calls in its own process. */

import type { Manifest } from '@listwatch/client/internal';
import type { Webhooks } from '@listwatch/runtime/webhook';
import type { InProcessAnswer, InProcessWebhooks } from '@listwatch/server';

/** A set of webhooks and the address under which the configurations have it. No socket is opened to it. */
interface NamedHooks {
  readonly name: string;
  readonly url: string;
  readonly host: string;
  readonly hooks: Webhooks;
}

export class InProcessHooks {
  readonly #sets: readonly NamedHooks[];

  constructor(sets: readonly Webhooks[]) {
    this.#sets = sets.map((hooks, index) => {
      const name = `webhooks-${index + 1}`;
      const host = `${name}.in-process`;
      return { name, host, url: `https://${host}`, hooks };
    });
  }

  /** For the server. */
  readonly call: InProcessWebhooks = (url, review, signal) => {
    const found = this.#sets.find(({ host }) => host === url.hostname);
    return found && answer(found.hooks, url, review, signal);
  };

  /** The configurations. */
  async manifests(): Promise<readonly object[]> {
    const { webhookManifests } = await import('@listwatch/runtime/webhook');
    return this.#sets.flatMap(({ hooks, name, url }) => webhookManifests(hooks, { name, url }));
  }

  /** Definitions of kinds that are converted here, with their conversion; others as they are. */
  async converted(crds: readonly Manifest[]): Promise<readonly Manifest[]> {
    const { webhookManifests } = await import('@listwatch/runtime/webhook');
    const found = new Map(crds.map((crd) => [crd.metadata.name, crd]));
    for (const { hooks, name, url } of this.#sets) {
      const named = [...found.values()].flatMap(namedDefinition);
      for (const made of webhookManifests(hooks, { name, url, crds: named }))
        if (made.kind === 'CustomResourceDefinition') found.set(made.metadata.name, made);
    }
    return [...found.values()];
  }
}

type NamedDefinition = Manifest & { readonly metadata: { readonly name: string }; readonly spec: object };

function namedDefinition(crd: Manifest): readonly NamedDefinition[] {
  const { name } = crd.metadata;
  const spec: unknown = 'spec' in crd ? crd.spec : undefined;
  if (name === undefined || typeof spec !== 'object' || spec === null) return [];
  return [{ ...crd, metadata: { ...crd.metadata, name }, spec }];
}

async function answer(hooks: Webhooks, url: URL, review: Uint8Array, signal: AbortSignal): Promise<InProcessAnswer> {
  const headers = { 'content-type': 'application/json' };
  const response = await hooks.handle(new Request(url, { method: 'POST', headers, body: Buffer.from(review), signal }));
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    retryAfter: response.headers.get('retry-after') ?? '',
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
