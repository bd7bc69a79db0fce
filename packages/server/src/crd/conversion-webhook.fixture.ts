/** A conversion webhook over TLS, for tests: it adds or removes the field `spec.both` by the version. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { Readable } from 'node:stream';
import { issueCertificate } from '../pki/certificate.ts';
import type { Json } from '../start/in-process-server.fixture.ts';

/** What a webhook answers. */
export interface HookAnswer {
  readonly status?: number;
  readonly body: unknown;
  /** Sends these bytes instead of the body, again and again until `bytes` have been taken or the caller is gone. */
  readonly raw?: { readonly text: string; readonly bytes: number } | undefined;
}

export class ConversionWebhook implements AsyncDisposable {
  readonly #server: Server;
  readonly caBundle: string;
  /** How many objects it was asked to convert, call by call. */
  readonly calls: number[] = [];
  /** Answers in another way; gets the review. Default: converts. */
  behave: ((review: Json) => HookAnswer | 'hang') | undefined;

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.caBundle = caBundle;
  }

  static async start(): Promise<ConversionWebhook> {
    const [authority, own] = [newKey(), newKey()];
    const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
    const issuer = { subject: { commonName: 'ca' }, key: authority };
    const ca = issueCertificate({
      ...life,
      subject: issuer.subject,
      use: { type: 'authority' },
      key: authority,
      issuer,
    });
    const use = { type: 'server', dnsNames: ['hook.default.svc'], ipAddresses: ['127.0.0.1'] } as const;
    const cert = issueCertificate({ ...life, subject: { commonName: 'hook' }, use, key: own, issuer });
    const server = createServer({ cert, key: own.export({ type: 'pkcs8', format: 'pem' }) });
    const made = new ConversionWebhook(server, Buffer.from(ca).toString('base64'));
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(parts).toString());
        made.calls.push(review.request.objects.length);
        const usual: HookAnswer = { body: made.converted(review) };
        const answer = made.behave?.(review) ?? usual;
        if (answer === 'hang') return;
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
        if (answer.raw === undefined) response.end(JSON.stringify(answer.body));
        else Readable.from(made.#repeated(answer.raw)).pipe(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** `spec.conversion` of a definition. */
  get conversion(): object {
    const clientConfig = { url: `https://127.0.0.1:${this.port}/convert`, caBundle: this.caBundle };
    return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  }

  /** The answer that converts: v1 has `spec.both`, v2 `spec.first` and `spec.second`. */
  converted({ kind, apiVersion, request }: Json): Json {
    const convertedObjects = request.objects.map((object: Json) => {
      const { both, first, second, ...rest } = object.spec ?? {};
      const isFirst = request.desiredAPIVersion.endsWith('/v1');
      const [left, right] = typeof both === 'string' ? both.split(' ') : [first, second];
      const spec = isFirst ? { ...rest, both: `${left} ${right}` } : { ...rest, first: left, second: right };
      return { ...object, apiVersion: request.desiredAPIVersion, spec };
    });
    return { kind, apiVersion, response: { uid: request.uid, result: { status: 'Success' }, convertedObjects } };
  }

  /** How many bytes of raw answers were taken. */
  rawBytes = 0;

  *#repeated({ text, bytes }: { readonly text: string; readonly bytes: number }): Generator<string> {
    for (let sent = 0; sent < bytes; sent += text.length) {
      this.rawBytes += text.length;
      yield text;
    }
  }

  /** Ends all calls without an answer. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
