import { expect, it } from 'vitest';
import { SharedAnswers } from './shared-answers.ts';

/** Questions that the test answers. */
class Asked {
  readonly signals: AbortSignal[] = [];
  readonly #answers: ((value: string | Error) => void)[] = [];

  readonly send = (signal: AbortSignal): Promise<string> => {
    this.signals.push(signal);
    return new Promise((resolve, reject) => {
      this.#answers.push((value) => (value instanceof Error ? reject(value) : resolve(value)));
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };

  answer(value: string | Error): void {
    this.#answers.shift()?.(value);
  }
}

function broken(): Promise<string> {
  throw new Error('broken');
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a request never shares an answer that was asked for before it came', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  const first = shared.ask('a', asked.send);
  const second = shared.ask('a', asked.send);
  const third = shared.ask('a', asked.send);
  expect(asked.signals).toHaveLength(1);
  asked.answer('old');
  expect(await first).toBe('old');
  await turn();
  expect(asked.signals).toHaveLength(2);
  asked.answer('new');
  expect(await Promise.all([second, third])).toEqual(['new', 'new']);
  await turn();
  expect(shared.size).toBe(0);
});

it('keys do not wait for one another', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  void shared.ask('a', asked.send);
  const other = shared.ask('b', async () => 'b');
  expect(await other).toBe('b');
});

it('a failure reaches those who share it, and the next question is asked all the same', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  const first = shared.ask('a', asked.send);
  const second = shared.ask('a', asked.send);
  asked.answer(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await turn();
  asked.answer('back');
  expect(await second).toBe('back');
});

it('a function that throws is a failure of its question, and does not block its key', async () => {
  const shared = new SharedAnswers<string, string>();
  await expect(shared.ask('a', broken)).rejects.toThrow('broken');
  await turn();
  expect(shared.size).toBe(0);
});

it('who leaves takes nothing from the others; with the last one the question is given up', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  const [one, two] = [new AbortController(), new AbortController()];
  void shared.ask('a', asked.send);
  const left = shared.ask('a', asked.send, one.signal);
  const stays = shared.ask('a', asked.send, two.signal);
  one.abort(new Error('one left'));
  await expect(left).rejects.toThrow('one left');
  asked.answer('first');
  await turn();
  expect(asked.signals[1]?.aborted).toBe(false);
  two.abort(new Error('two left'));
  await expect(stays).rejects.toThrow('two left');
  expect(asked.signals[1]?.aborted).toBe(true);
});

it('who comes after all others have left is not given their abort', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  const gone = new AbortController();
  void shared.ask('a', asked.send);
  const left = shared.ask('a', asked.send, gone.signal);
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  const late = shared.ask('a', asked.send);
  asked.answer('first');
  await turn();
  asked.answer('second');
  expect(await late).toBe('second');
});

it('an aborted signal asks nothing', async () => {
  const shared = new SharedAnswers<string, string>();
  const asked = new Asked();
  await expect(shared.ask('a', asked.send, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  expect(asked.signals).toHaveLength(0);
});
