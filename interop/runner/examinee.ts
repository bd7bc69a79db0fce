/** One program in the scenario, and what was found of it. */

import type { ClientProgram, ProgramAnswer } from './client-program.ts';
import { type Collection, difference, SELECTOR, type Versions } from './collection.ts';
import type { Finding, Step } from './result.ts';

const VIEW_LIMIT_MS = 90_000;
const POLL_MS = 200;

export class Examinee {
  readonly #program: ClientProgram;
  readonly findings: Finding[] = [];
  readonly relists: Record<string, number> = {};
  readonly version: string;
  readonly views: readonly string[];
  readonly #own: readonly string[];
  readonly #viewLimitMs: number;

  private constructor(program: ClientProgram, { words }: ProgramAnswer, viewLimitMs: number) {
    this.#program = program;
    this.#viewLimitMs = viewLimitMs;
    this.version = words.get('version')?.join(', ') ?? '';
    this.views = words.get('view') ?? [];
    this.#own = words.get('own') ?? [];
  }

  /** Throws when the program does not answer. A view gets this much time to become equal. */
  static async greet(program: ClientProgram, viewLimitMs: number = VIEW_LIMIT_MS): Promise<Examinee> {
    const answer = await program.ask('hello');
    if (answer.type !== 'ok') throw new Error(answer.text);
    return new Examinee(program, answer, viewLimitMs);
  }

  /** Asks for entries, which must be these. */
  async check(step: Step, part: string, command: string, expected: Versions): Promise<void> {
    const answer = await this.#program.ask(command);
    this.#note(step, part, answer, () => difference(answer.entries, expected));
  }

  /** Every resource in at least one of its versions, and nothing that is not served: many clients keep to the preferred versions. */
  async checkDiscovery(served: Versions): Promise<void> {
    const answer = await this.#program.ask('discover');
    const known = new Map([...answer.entries].filter(([resource]) => served.has(resource)));
    const found = new Set([...known.keys()].map(withoutVersion));
    const expected = [...served].filter(([resource]) => known.has(resource) || !found.has(withoutVersion(resource)));
    this.#note('discover', '', answer, () => difference(answer.entries, new Map(expected)));
  }

  /** A watch from an old version must get a bookmark at the newest one; not at one that is still to come. */
  async checkBookmark(old: string, newest: string, collection: Pick<Collection, 'read'>): Promise<void> {
    const answer = await this.#program.ask(`bookmark ${old}`);
    const { version: now } = await collection.read();
    this.#note('bookmark', '', answer, () => {
      const got = answer.entries.get('bookmark') ?? '';
      if (!/^[0-9]+$/u.test(got)) return 'no bookmark';
      if (BigInt(got) < BigInt(newest)) return `a bookmark at ${got}, before ${newest}`;
      return BigInt(got) > BigInt(now) ? `a bookmark at ${got}, when the server is at ${now}` : '';
    });
  }

  async checkExpired(version: string): Promise<void> {
    this.#note('expire', '410', await this.#program.ask(`expired ${version}`), () => '');
  }

  async start(selector: string): Promise<void> {
    if (this.views.length > 0) this.#note('start', '', await this.#program.ask(`start ${selector}`), () => '');
  }

  /** Asks for every view until it is as the server's list, or the time is over. */
  async checkViews(step: Step, collection: Collection): Promise<void> {
    if (this.views.length === 0) this.#add(step, '', 'not offered', 'it has no view that follows a collection');
    for (const view of this.views) {
      await this.#checkView(step, view, 'all', collection);
      await this.#checkView(step, view, 'selected', collection);
    }
  }

  /** Requests that read the collection again; a client that resumes makes none. */
  noteReads(step: 'cut' | 'kill', reads: number): void {
    this.#add(step, 'resumed', reads === 0 ? 'passed' : 'failed', reads === 0 ? '' : `${reads} lists or watch-lists`);
  }

  /** What the server did wrong, whatever the client says; an empty text when it did nothing, which is no merit of the client. */
  noteServer(step: Step, part: string, text: string): void {
    if (text !== '') this.#add(step, part, 'failed', text);
  }

  async runOwn(): Promise<void> {
    for (const name of this.#own) this.#note('own', name, await this.#program.ask(`own ${name}`), () => '');
  }

  async end(): Promise<void> {
    const code = await this.#program.end();
    if (code !== 0)
      this.#add('churn', 'end', 'failed', `it ended with code ${code}: ${this.#program.log.slice(-1000)}`);
  }

  /** Waits until every view is as the server's list, or the time is over, and judges nothing. */
  async settle(collection: Collection): Promise<void> {
    for (const view of this.views) {
      await this.#settledView(view, 'all', collection);
      await this.#settledView(view, 'selected', collection);
    }
  }

  async #checkView(step: Step, view: string, scope: 'all' | 'selected', collection: Collection): Promise<void> {
    const { answer, text } = await this.#settledView(view, scope, collection);
    this.#note(step, `${view} ${scope}`, answer, () => text);
  }

  /** The last answer, and how it differs from the server's list. */
  async #settledView(
    view: string,
    scope: 'all' | 'selected',
    collection: Collection,
  ): Promise<{ readonly answer: ProgramAnswer; readonly text: string }> {
    const limit = Date.now() + this.#viewLimitMs;
    for (;;) {
      const answer = await this.#program.ask(`dump ${view} ${scope}`);
      const truth = await collection.read(scope === 'selected' ? SELECTOR : undefined);
      const text = answer.type === 'ok' ? difference(answer.entries, truth.versions) : '';
      if (text !== '' && Date.now() < limit) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        continue;
      }
      return { answer, text };
    }
  }

  #note(step: Step, part: string, answer: ProgramAnswer, judge: () => string): void {
    if (answer.type === 'not-offered') this.#add(step, part, 'not offered', answer.text);
    else if (answer.type === 'failed') this.#add(step, part, 'failed', answer.text);
    else {
      const text = judge();
      this.#add(step, part, text === '' ? 'passed' : 'failed', text);
    }
  }

  #add(step: Step, part: string, outcome: Finding['outcome'], text: string): void {
    this.findings.push({ step, part, outcome, text });
    if (process.env['INTEROP_VERBOSE'] !== undefined) console.error(outcome, step, part, text);
  }
}

/** `apps/deployments` for `apps/v1/deployments`. */
function withoutVersion(resource: string): string {
  return resource.replace(/[^/]+\/([^/]+)$/u, '$1');
}
