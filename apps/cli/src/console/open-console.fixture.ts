/** `listwatch console` for tests. */

import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { consoleOfCluster } from './console-command.ts';
import { LoggedInBrowser, linkIn } from './logged-in-browser.fixture.ts';

/** `listwatch console` in this process, and a browser that has opened its link. */
export class OpenConsole implements AsyncDisposable {
  readonly host: FakeHost;
  readonly browser: LoggedInBrowser;
  readonly #ended: Promise<number>;

  private constructor(host: FakeHost, browser: LoggedInBrowser, ended: Promise<number>) {
    this.host = host;
    this.browser = browser;
    this.#ended = ended;
  }

  static async start(kubeconfig: string, { write = false }: { readonly write?: boolean } = {}): Promise<OpenConsole> {
    const host = fakeHost();
    const ended = consoleOfCluster({ kubeconfig, write }, host);
    await Promise.race([host.seen('code='), ended]);
    return new OpenConsole(host, await LoggedInBrowser.open(linkIn(host.written.stdout)), ended);
  }

  /** A link that nobody has opened. */
  newLink(): string {
    const before = this.host.written.stdout.length;
    this.host.requestLink();
    return linkIn(this.host.written.stdout.slice(before));
  }

  /** Who the server takes the page for. */
  async user(): Promise<unknown> {
    return JSON.parse((await this.browser.send('/console/session')).text).user;
  }

  /** The same, asked of the server each time. */
  async userNow(): Promise<unknown> {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { text } = await this.browser.send('/apis/authentication.k8s.io/v1/selfsubjectreviews', 'POST', review);
    return JSON.parse(text).status?.userInfo.username;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.host.signal('SIGTERM');
    await this.#ended;
  }
}
