/**
 * Solves sequences of writes from standard input, one in each line, and prints where ours differs from Kubernetes. By hand:
 *
 *     go run . 7 20000 | node --conditions=@listwatch/source --import tsx replay.ts
 */

import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { expected, isSequence, outcomes, type PrintedFields, printsAlike, type Sequence } from './sequence.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
let [steps, lines, differences] = [0, 0, 0];
const sorts: Record<string, number> = {};
for await (const line of createInterface({ input: process.stdin })) {
  const sequence: PrintedFields | Sequence = JSON.parse(line);
  lines += 1;
  if (!isSequence(sequence)) {
    if (printsAlike(sequence)) continue;
    differences += 1;
    print(line);
    continue;
  }
  for (const [index, ours] of outcomes(sequence).entries()) {
    steps += 1;
    const step = sequence.steps[index];
    const sort = `${step?.does} ${Object.keys(ours)[0]}`;
    sorts[sort] = (sorts[sort] ?? 0) + 1;
    if (step === undefined || isDeepStrictEqual(JSON.parse(JSON.stringify(ours)), expected(step))) continue;
    differences += 1;
    if (differences <= 5) {
      const live = sequence.steps.slice(0, index).findLast(({ result }) => result !== undefined)?.result;
      print(JSON.stringify({ line: lines, index, live, step, ours, schema: sequence.schemas[step.schema ?? 0] }));
    }
  }
}
print(`${steps} steps, ${lines} lines, ${differences} differences ${JSON.stringify(sorts)}`);
process.exitCode = differences > 0 ? 1 : 0;
