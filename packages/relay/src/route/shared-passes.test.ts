import { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster } from '@listwatch/client';
import type { ApiRequest } from '@listwatch/server/read';
import { expect, it } from 'vitest';
import { SharedPasses } from './shared-passes.ts';

/** Clients, and an upstream that answers when the test says so. */
class Scene {
  readonly clock = new FakeClock();
  /** What the relay has asked for. */
  readonly asked: string[] = [];
  status = 200;
  readonly passes: SharedPasses;
  readonly #answers: (() => void)[] = [];

  constructor(keyOf?: (request: ApiRequest) => string) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is asked of a cluster
    const cluster = {
      clock: this.clock,
      raw: (path: string, { headers }: { readonly headers: Readonly<Record<string, string>> }) =>
        new Promise((resolve) => {
          const { accept = '' } = headers;
          const number = this.asked.push(`${path} ${accept}`);
          this.#answers.push(() =>
            resolve({
              status: this.status,
              headers: { 'content-type': accept === '' ? 'application/json' : accept },
              bytes: async () => Buffer.from(`answer ${number} as ${accept}`),
              close: async () => {},
            }),
          );
        }),
    } as unknown as Pick<Cluster, 'clock' | 'raw'>;
    this.passes = new SharedPasses(cluster, keyOf);
  }

  /** A request comes. `text`: what it was answered with; `alone`: it has to pass by itself. */
  async come(query = '', accept?: string): Promise<Client> {
    const gone = new AbortController();
    const client: Client = { text: undefined, leave: () => gone.abort(new Error('gone')) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read of a request
    const request = {
      path: '/api/v1/pods',
      query,
      header: (name: string) => (name === 'accept' ? accept : undefined),
      signal: gone.signal,
    } as unknown as ApiRequest;
    void (async () => {
      try {
        client.text = (await this.passes.answer(request))?.body.toString() ?? 'alone';
      } catch (error) {
        client.text = String(error);
      }
    })();
    await this.clock.advance(0);
    return client;
  }

  async answer(): Promise<void> {
    this.#answers.shift()?.();
    await this.clock.advance(0);
  }
}

interface Client {
  text: string | undefined;
  readonly leave: () => void;
}

/** Two that ask for the same in different forms, while another one passes. */
async function twoForms(scene: Scene): Promise<readonly (string | undefined)[]> {
  const first = await scene.come();
  const [json, table] = [await scene.come('', 'application/json'), await scene.come('', 'as=Table')];
  first.leave();
  await scene.clock.advance(0);
  await scene.answer();
  await scene.answer();
  return [json.text, table.text];
}

it('the first of equal requests passes alone, and those that come meanwhile share one that is sent after they came', async () => {
  const scene = new Scene();
  const first = await scene.come();
  expect(first.text).toBe('alone');
  const others = [await scene.come(), await scene.come()];
  expect([scene.asked, others[0]?.text]).toEqual([[], undefined]);
  first.leave();
  await scene.clock.advance(0);
  expect(scene.asked).toEqual(['/api/v1/pods ']);
  // It was sent before this one came.
  const late = await scene.come();
  await scene.answer();
  expect([...others.map(({ text }) => text), late.text]).toEqual(['answer 1 as ', 'answer 1 as ', undefined]);
  await scene.answer();
  expect(late.text).toBe('answer 2 as ');
  expect(scene.passes.count).toBe(3);
});

it('requests are equal when all that they ask for is, and their form', async () => {
  expect(await twoForms(new Scene())).toEqual(['alone', 'alone']);
  const scene = new Scene();
  await scene.come('limit=1');
  expect((await scene.come('limit=2')).text).toBe('alone');
});

// The mistake, to see that it is found.
it('an answer that is shared by URL has the form of another request', async () => {
  const [json, table] = await twoForms(new Scene(({ path, query }) => `${path}?${query}`));
  expect([json, table]).toEqual(['answer 1 as application/json', 'answer 1 as application/json']);
});

it('what is no list is for each alone', async () => {
  const scene = new Scene();
  scene.status = 403;
  const first = await scene.come();
  const other = await scene.come();
  first.leave();
  await scene.clock.advance(0);
  await scene.answer();
  expect(other.text).toBe('alone');
});

it('who has waited 2 s for others passes alone; who leaves is gone', async () => {
  const scene = new Scene();
  await scene.come();
  const [patient, gone] = [await scene.come(), await scene.come()];
  gone.leave();
  await scene.clock.advance(1999);
  expect([patient.text, gone.text]).toEqual([undefined, 'Error: gone']);
  await scene.clock.advance(1);
  expect(patient.text).toBe('alone');
});
