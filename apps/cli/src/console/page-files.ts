/** The files of the page, as the door sends them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { genericFailure } from '@listwatch/api';
import type { ConsoleAsset, ConsoleAssets } from '@listwatch/console';
import { FILE_HEADERS, sendBytes } from './door-answer.ts';
import type { NewLogin } from './login-sessions.ts';

const PAGE = '/console/';
const HEAD_END = '</head>';

export class PageFiles {
  readonly #read: () => ConsoleAssets;
  #assets: ConsoleAssets | undefined;

  /** `read` is called once, with the first request. */
  constructor(read: () => ConsoleAssets) {
    this.#read = read;
  }

  /** Throws the 404. */
  send(request: IncomingMessage, response: ServerResponse, path: string): void {
    const asset = this.#asset(path);
    const headers = { ...FILE_HEADERS, 'cache-control': cacheControlOf(asset), etag: asset.etag };
    if (request.headers['if-none-match'] === asset.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const gzip = /\bgzip\b/u.test(request.headers['accept-encoding'] ?? '');
    const encoding = gzip ? { 'content-encoding': 'gzip' } : {};
    const type = { 'content-type': asset.contentType, vary: 'accept-encoding' };
    sendBytes(response, {
      status: 200,
      headers: { ...headers, ...type, ...encoding },
      body: gzip ? asset.gzip : asset.body,
    });
  }

  /**
   * The page of a browser that has just logged in, with its key. The key is in the answer to the code, because whoever sees the
   * cookie could be first at any other place that gives it out; and it is in no URL, because browsers keep those.
   */
  sendLogin(response: ServerResponse, { cookie, key }: NewLogin): void {
    const page = this.#html().replace(HEAD_END, `<meta name="listwatch-key" content="${key}">${HEAD_END}`);
    const { contentType } = this.#asset(PAGE);
    const headers = { ...FILE_HEADERS, 'content-type': contentType, 'cache-control': 'no-store', 'set-cookie': cookie };
    sendBytes(response, { status: 200, headers, body: Buffer.from(page) });
  }

  /** Throws when a browser cannot be given its key: before a code is used up. */
  requirePage(): void {
    this.#html();
  }

  #html(): string {
    const html = this.#asset(PAGE).body.toString('utf8');
    if (!html.includes(HEAD_END)) throw new Error(`the page has no ${HEAD_END}: a browser cannot be given its key`);
    return html;
  }

  #asset(path: string): ConsoleAsset {
    this.#assets ??= this.#read();
    const asset = this.#assets.get(path);
    if (asset === undefined) throw genericFailure(404);
    return asset;
  }
}

function cacheControlOf({ immutable }: ConsoleAsset): string {
  return immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}
