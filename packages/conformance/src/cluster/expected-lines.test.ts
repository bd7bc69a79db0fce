import { expect, it } from 'vitest';
import { missingLines } from './expected-lines.ts';

it('asks the server that was cut off for a line about the loss and one about the return', () => {
  const lost = 'error no member of etcd serves: reads that accept old data and watches go on';
  const back = 'info  etcd serves again after 2.3 s';
  const fault = { type: 'isolateServer', index: 1 } as const;
  expect(missingLines(fault, [[], [lost, back], []])).toEqual([]);
  expect(missingLines(fault, [[back], [lost], []])).toEqual([
    'the log of server 1 does not say: etcd serves again after',
  ]);
});

it('asks every server of a rolling restart for its end and its start', () => {
  const both = ['ending: no new requests, watches end', 'Ready at https://127.0.0.1:1'];
  expect(missingLines({ type: 'rollingRestart' }, [both, both, both.slice(1)])).toEqual([
    'the log of server 2 does not say: ending: no new requests',
  ]);
});
