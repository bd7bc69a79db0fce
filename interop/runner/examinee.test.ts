import { describe, expect, it } from 'vitest';
import { ClientProgram } from './client-program.ts';
import { Examinee } from './examinee.ts';

/** A program that answers by this table of JavaScript. */
function program(answers: Readonly<Record<string, string>>, answerLimitMs?: number): ClientProgram {
  const script = `
    const answers = ${JSON.stringify({ hello: 'version 1\nok', end: 'ok', ...answers })};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      if (answers[line] === undefined) process.exit(3);
      console.log(answers[line]);
    });`;
  return new ClientProgram({ command: process.execPath, args: ['-e', script] }, {}, answerLimitMs);
}

const TRUTH = new Map([
  ['a/x', '1'],
  ['a/y', '2'],
]);

/** What a client may answer to `list all`, and the verdict. */
const ANSWERS = [
  ['all of it', '= a/x 1\n= a/y 2\nok', 'passed '],
  ['nothing', 'ok', 'failed 2 missing (a/x, a/y)'],
  ['an object of an old version', '= a/x 1\n= a/y 1\nok', 'failed 1 of another version (a/y)'],
  ['an object that is gone', '= a/x 1\n= a/y 2\n= a/z 3\nok', 'failed 1 should be gone (a/z)'],
  ['its own failure', 'failed no route', 'failed no route'],
  ['no API', 'not-offered it lists nothing', 'not offered it lists nothing'],
] as const;

describe('Examinee', () => {
  it('judges what a client reports', async () => {
    await using client = program(Object.fromEntries(ANSWERS.map(([what, answer]) => [what, answer])));
    const examinee = await Examinee.greet(client);
    for (const [what] of ANSWERS) await examinee.check('list', what, what, TRUTH);
    const verdicts = examinee.findings.map(({ part, outcome, text }) => [part, `${outcome} ${text}`]);
    expect(verdicts).toEqual(ANSWERS.map(([what, , verdict]) => [what, verdict]));
  });

  it.each([
    ['an object twice', '= a/x 1\n= a/x 1\nok', '"list all" reported a/x twice'],
    ['a line that is no answer', 'hurrah\nok', '"list all" got a line outside of the protocol: hurrah'],
  ])('fails a client that reports %s', async (_what, answer, text) => {
    await using client = program({ 'list all': answer });
    const examinee = await Examinee.greet(client);
    await examinee.check('list', 'all', 'list all', TRUTH);
    expect(examinee.findings).toEqual([{ step: 'list', part: 'all', outcome: 'failed', text }]);
  });

  it('reads the answer of a client to its end, also when it has failed', async () => {
    await using client = program({ wrong: '= a/x 1\n= a/x 1\n= a/z 1\nok', right: '= a/x 1\n= a/y 2\nok' });
    const examinee = await Examinee.greet(client);
    for (const command of ['wrong', 'right']) await examinee.check('list', command, command, TRUTH);
    expect(examinee.findings.map(({ outcome }) => outcome)).toEqual(['failed', 'passed']);
  });

  it('gives a client up that does not answer in time: a late answer would be taken for the next one', async () => {
    // Half an answer: without its last line it never ends.
    await using client = program({ late: '= a/x 1', next: '= a/y 2\nok' }, 1500);
    const examinee = await Examinee.greet(client);
    for (const command of ['late', 'next']) await examinee.check('list', command, command, TRUTH);
    expect(examinee.findings.map(({ text }) => text)).toEqual([
      expect.stringContaining('no answer to "late"'),
      expect.stringContaining('no answer to "next"'),
    ]);
  });

  it.each([
    ['at the newest version', '= bookmark 7\nok', 'passed'],
    ['at an older one', '= bookmark 6\nok', 'failed'],
    ['at one that is still to come', '= bookmark 9\nok', 'failed'],
    ['nowhere', 'ok', 'failed'],
    ['at no version', '= bookmark x\nok', 'failed'],
  ])('takes a bookmark %s', async (_where, answer, outcome) => {
    await using client = program({ 'bookmark 5': answer });
    const examinee = await Examinee.greet(client);
    await examinee.checkBookmark('5', '7', { read: async () => ({ versions: TRUTH, version: '8' }) });
    expect(examinee.findings).toMatchObject([{ outcome }]);
  });

  it('fails a client that must resume and has listed again', async () => {
    await using client = program({});
    const examinee = await Examinee.greet(client);
    examinee.noteReads('cut', 0);
    examinee.noteReads('kill', 2);
    expect(examinee.findings.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['passed', ''],
      ['failed', '2 lists or watch-lists'],
    ]);
  });

  it('fails a client that ends without an answer', async () => {
    await using client = program({});
    const examinee = await Examinee.greet(client);
    await examinee.check('list', 'all', 'list all', TRUTH);
    expect(examinee.findings).toMatchObject([{ outcome: 'failed', text: expect.stringContaining('no answer') }]);
  });

  it('takes one version of a resource for its discovery, and nothing that is not served', async () => {
    const served = new Map([
      ['v1/pods', 'Pod'],
      ['autoscaling/v1/scalers', 'Scaler'],
      ['autoscaling/v2/scalers', 'Scaler'],
    ]);
    await using client = program({ discover: '= v1/pods Pod\n= autoscaling/v2/scalers Scaler\nok' });
    const examinee = await Examinee.greet(client);
    await examinee.checkDiscovery(served);
    await using other = program({ discover: '= v1/pods Pod\n= autoscaling/v3/scalers Scaler\nok' });
    const wrong = await Examinee.greet(other);
    await wrong.checkDiscovery(served);
    expect([...examinee.findings, ...wrong.findings].map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  });
});
