/**
 * What webhooks cost a write that none of them is about: `npm run bench:admission`. 200 webhooks in 50 configurations of each kind,
 * asked twice for each write as the stages do, with the view of the write that is made for it. Prints JSON lines.
 */

import { builtInKind } from '../../packages/rules/src/internal.ts';
import { BUILT_IN_KINDS } from '../../packages/rules/src/strategy/built-in-kinds.ts';
import type { RequestHead } from '../../packages/server/src/contract/dynamic-admission.ts';
import { equivalentKinds } from '../../packages/server/src/write/admission/dynamic/rule-match.ts';
import { WebhookIndex } from '../../packages/server/src/write/admission/webhooks/webhook-index.ts';
import { machine } from '../server/machine.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';

const HOOKS = 200;
const HOOKS_EACH = 4;
const ROUNDS = 7;
const WRITES = 200_000;
const GOAL_MICROS = 2;

function indexOf(type: 'mutating' | 'validating'): WebhookIndex {
  const index = new WebhookIndex(
    type,
    equivalentKinds(() => BUILT_IN_KINDS),
  );
  for (let i = 0; i < HOOKS / HOOKS_EACH; i += 1) {
    const webhooks = Array.from({ length: HOOKS_EACH }, (_, number) => ({
      name: `h${number}.c${i}.example.com`,
      clientConfig: { url: `https://127.0.0.1:${1000 + i}/x` },
      rules: [{ apiGroups: ['apps', `g${i}.example.com`], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    }));
    index.set(`c${i}`, { webhooks });
  }
  return index;
}

const indexes = [indexOf('mutating'), indexOf('validating')];
const definition = builtInKind('core/v1.ConfigMap');
let matched = 0;
const micros: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const started = performance.now();
  for (let write = 0; write < WRITES; write += 1) {
    for (const index of indexes) {
      const head: RequestHead = { operation: 'CREATE', definition, subresource: '', namespace: `n${write % 100}` };
      matched += index.matching(head).length;
    }
  }
  micros.push(((performance.now() - started) * 1000) / WRITES);
}
report({
  bench: 'a write that no webhook is about',
  webhooks: HOOKS * 2,
  matched,
  micros: digits(middle(micros)),
  goalMicros: GOAL_MICROS,
  machine: machine(),
});
