/** A server with policies, for tests: each test has a namespace of its own, which its policies are about. */

import type { ApiServerOptions } from '../../../start/api-server-options.ts';
import { type Asked, type AskOptions, InProcessServer, type Json } from '../../../start/in-process-server.fixture.ts';

const GROUP = '/apis/admissionregistration.k8s.io/v1';

/** All writes of ConfigMaps. */
export const CONFIG_MAPS = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };

export class PolicyServer implements AsyncDisposable {
  readonly http: InProcessServer;
  #namespaces = 0;

  private constructor(http: InProcessServer) {
    this.http = http;
  }

  static async start(options: Partial<ApiServerOptions> = {}): Promise<PolicyServer> {
    return new PolicyServer(await InProcessServer.start({ largeWriteBytes: Infinity, ...options }));
  }

  /** A namespace with the label `test`, whose value is its name. */
  async namespace(): Promise<PolicyNamespace> {
    this.#namespaces += 1;
    const name = `test-${this.#namespaces}`;
    await this.http.ok('POST', '/api/v1/namespaces', { metadata: { name, labels: { test: name } } });
    return new PolicyNamespace(this.http, name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.http[Symbol.asyncDispose]();
  }
}

export class PolicyNamespace {
  readonly http: InProcessServer;
  readonly name: string;

  constructor(http: InProcessServer, name: string) {
    this.http = http;
    this.name = name;
  }

  get configMaps(): string {
    return `/api/v1/namespaces/${this.name}/configmaps`;
  }

  /** A validating policy that is bound: it is about the ConfigMaps of the namespace. */
  async validate(spec: Json, binding: Json = {}): Promise<void> {
    await this.put('validatingadmissionpolicies', this.name, { matchConstraints: this.matching(), ...spec });
    await this.bind({ validationActions: ['Deny'], ...binding });
  }

  async bind(binding: Json, name = `${this.name}-b`): Promise<void> {
    await this.put('validatingadmissionpolicybindings', name, { policyName: this.name, ...binding });
  }

  /** A mutating policy that is bound. Texts with `JSONPatch` are JSON patches. */
  async mutate(
    mutations: readonly string[],
    spec: Json = {},
    { name = this.name, ...binding }: Json = {},
  ): Promise<void> {
    await this.put('mutatingadmissionpolicies', name, {
      matchConstraints: this.matching(),
      reinvocationPolicy: 'Never',
      mutations: mutations.map((expression) =>
        expression.includes('JSONPatch')
          ? { patchType: 'JSONPatch', jsonPatch: { expression } }
          : { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
      ),
      ...spec,
    });
    await this.put('mutatingadmissionpolicybindings', `${name}-b`, { policyName: name, ...binding });
  }

  matching(rule: Json = {}, more: Json = {}): Json {
    const namespaceSelector = { matchLabels: { test: this.name } };
    return { namespaceSelector, resourceRules: [{ ...CONFIG_MAPS, ...rule }], ...more };
  }

  async put(plural: string, name: string, spec: Json): Promise<Json> {
    const found = await this.http.ask('GET', `${GROUP}/${plural}/${name}`);
    if (found.status === 404) return this.http.ok('POST', `${GROUP}/${plural}`, { metadata: { name }, spec });
    const { resourceVersion } = found.body.metadata;
    return this.http.ok('PUT', `${GROUP}/${plural}/${name}`, { metadata: { name, resourceVersion }, spec });
  }

  async create(name: string, more: Json = {}, options: AskOptions & { readonly query?: string } = {}): Promise<Asked> {
    const body = { metadata: { name, ...more.metadata }, data: more.data ?? { k: 'v' } };
    return this.http.ask('POST', `${this.configMaps}${options.query ?? ''}`, body, options);
  }

  async patch(name: string, patch: Json): Promise<Asked> {
    return this.http.ask('PATCH', `${this.configMaps}/${name}`, patch, { type: 'application/merge-patch+json' });
  }
}

/** The message behind `denied request: ` of a refusal, with its code. */
export function denial({ status, body }: Asked): readonly [number, string] {
  const message = String(body.message ?? '');
  return [status, message.slice(message.indexOf('denied request: ') + 'denied request: '.length)];
}
