import { expect, it } from 'vitest';
import { ForwardingEngine } from './forwarding-engine.ts';
import { createMemoryEngine } from './memory-engine.ts';

it('everything is passed on as it is, with its options, and so is the answer', async () => {
  const calls: (readonly unknown[])[] = [];
  const answers = new Map<string, unknown>();
  const methods = ['commit', 'revision', 'get', 'range', 'watch', 'compact', 'report', 'close'] as const;
  const engine = createMemoryEngine();
  for (const name of methods) {
    const answer = { of: name };
    answers.set(name, answer);
    Object.assign(engine, {
      [name]: (...args: readonly unknown[]) => {
        calls.push([name, ...args]);
        return answer;
      },
    });
  }
  const forwarding = new ForwardingEngine(engine);
  expect(forwarding.capabilities).toBe(engine.capabilities);
  const { signal } = new AbortController();
  const change = { type: 'delete', key: 'k' } as const;
  const made = [
    ['commit', forwarding.commit(change, { signal })],
    ['revision', forwarding.revision({ signal })],
    ['get', forwarding.get('k', { at: 2n })],
    ['range', forwarding.range('p', { at: 3n })],
    ['watch', forwarding.watch('p', { after: 4n })],
    ['compact', forwarding.compact(5n, { signal })],
    ['report', forwarding.report(6)],
    ['close', forwarding.close()],
    ['close', forwarding[Symbol.asyncDispose]()],
  ] as const;
  for (const [name, answer] of made) expect(await answer).toBe(answers.get(name));
  expect(calls).toEqual([
    ['commit', change, { signal }],
    ['revision', { signal }],
    ['get', 'k', { at: 2n }],
    ['range', 'p', { at: 3n }],
    ['watch', 'p', { after: 4n }],
    ['compact', 5n, { signal }],
    ['report', 6],
    ['close'],
    ['close'],
  ]);
});

it('an engine that does not say where it stands goes on saying nothing', () => {
  const engine = Object.assign(createMemoryEngine(), { report: undefined });
  expect(new ForwardingEngine(engine).report(1)).toBeUndefined();
});
