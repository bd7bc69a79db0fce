/** What is used of the package, which brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Saved {
    save(): Promise<string>;
  }

  class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    readonly Client: { find(id: string): Promise<object | undefined> };
    readonly Grant: new (
      properties: object,
    ) => Saved & { addOIDCScope(scope: string): void };
    readonly RefreshToken: new (
      properties: object,
    ) => Saved;
  }

  export { Provider as default };
}
