/** What tests of field owners share: a server, applies, and owners in one line each. */

import { type Asked, InProcessServer, type Json } from '../../start/in-process-server.fixture.ts';

export const APPLY = 'application/apply-patch+yaml';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const MAPS = '/api/v1/namespaces/default/configmaps';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** A server whose objects tests apply to. */
export class OwnerServer extends InProcessServer {
  static override async start(options: ConstructorParameters<typeof InProcessServer>[0] = {}): Promise<OwnerServer> {
    const made = new OwnerServer(options);
    await made.server.start();
    return made;
  }

  /** Applies an object, or a text as it is. `query` goes behind the manager. */
  apply(path: string, body: unknown, manager = 'a', query = ''): Promise<Asked> {
    return this.ask('PATCH', `${path}?fieldManager=${manager}${query}`, body, { type: APPLY });
  }

  /** The object after an apply that must succeed. */
  async applied(path: string, body: unknown, manager = 'a', query = ''): Promise<Json> {
    return this.ok('PATCH', `${path}?fieldManager=${manager}${query}`, body, { type: APPLY });
  }

  async merged(path: string, body: unknown, manager = 'u'): Promise<Json> {
    return this.ok('PATCH', `${path}${path.includes('?') ? '&' : '?'}fieldManager=${manager}`, body, { type: MERGE });
  }
}

/** A ConfigMap to apply. */
export function map(name: string, data?: Readonly<Record<string, unknown>>, metadata: object = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    ...(data === undefined ? {} : { data }),
  };
}

export const POD_TEMPLATE = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};

/** A Deployment to apply. */
export function deployment(name: string, spec: object = {}): Json {
  const whole = { selector: { matchLabels: { a: 'b' } }, template: POD_TEMPLATE, ...spec };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: whole };
}

/** The owners of an object: `manager Operation subresource fields`, the time left out. */
export function owners({ metadata }: Json): readonly string[] {
  const entries: readonly Json[] = metadata.managedFields ?? [];
  return entries.map(({ manager, operation, subresource, fieldsV1 }) =>
    [manager, operation, ...(subresource === undefined ? [] : [subresource]), JSON.stringify(fieldsV1)].join(' '),
  );
}

/** The times of the owners. */
export function times({ metadata }: Json): readonly (string | undefined)[] {
  return (metadata.managedFields ?? []).map(({ time }: Json) => time);
}

export const messageOf = ({ status, body }: Asked): readonly unknown[] => [status, body.message];
