import { badRequest, forbidden, serviceUnavailable } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { ansiSpans, visibleText, withoutCodes } from './ansi-text.ts';
import { chosenContainer, containerRun, logContainers, runKey } from './log-containers.ts';
import { afterLog, type LogCircumstances, type LogOutcome } from './log-phase.ts';

const pod = {
  metadata: { name: 'web', annotations: {} },
  spec: {
    initContainers: [{ name: 'setup' }],
    containers: [{ name: 'web' }, { name: 'proxy' }],
    ephemeralContainers: [{ name: 'debugger' }],
  },
  status: {
    containerStatuses: [
      { name: 'web', containerID: 'c://2', restartCount: 1, state: { running: {} } },
      { name: 'proxy', restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
    initContainerStatuses: [
      { name: 'setup', restartCount: 0, state: { terminated: { exitCode: 1, reason: 'Error' } } },
    ],
  },
};

const runOf = (name: string): LogCircumstances['run'] => containerRun(pod, name, false);
const usual = { run: runOf('web'), isPrevious: false, isOwnServer: false, failures: 0 };
const failed = (error: unknown): LogOutcome => ({ type: 'failed', error });
const ended: LogOutcome = { type: 'ended' };

describe('the containers of a Pod', () => {
  it('are all of them; without a wish the one that kubectl takes', () => {
    expect(logContainers(pod).map(({ name, type }) => `${name} ${type}`)).toEqual([
      'web container',
      'proxy container',
      'setup init',
      'debugger ephemeral',
    ]);
    expect(['', 'setup', 'nope'].map((name) => chosenContainer(pod, name))).toEqual(['web', 'setup', 'web']);
    const annotated = {
      metadata: { name: 'web', annotations: { 'kubectl.kubernetes.io/default-container': 'proxy' } },
    };
    expect(chosenContainer({ ...pod, ...annotated }, '')).toBe('proxy');
    expect(chosenContainer({ metadata: { name: 'web' } }, 'x')).toBe('');
  });

  it('are told apart by run', () => {
    expect(runKey(runOf('web'))).toBe('running c://2 1');
    expect(runOf('setup')).toMatchObject({ state: 'terminated', detail: 'Error, exit code 1' });
    expect(runOf('debugger').state).toBe('unknown');
    expect(containerRun(pod, 'web', true).state).toBe('gone');
  });
});

describe('a log whose stream has ended', () => {
  const waiting = badRequest('container "web" in pod "web" is waiting to start: ContainerCreating');
  const noPrevious = badRequest('previous terminated container "web" in pod "web" not found');
  it.each<[string, LogOutcome, Partial<LogCircumstances>, string, number | undefined, RegExp]>([
    ['of a running container', ended, {}, 'broken', 500, /ended the stream/u],
    ['again and again', ended, { failures: 99 }, 'broken', 8000, /ended/u],
    ['of a container that ended', ended, { run: runOf('setup') }, 'ended', undefined, /Error, exit code 1/u],
    ['of one that is about to restart', ended, { run: runOf('proxy') }, 'ended', undefined, /CrashLoopBackOff/u],
    ['of a container without a status', ended, { run: runOf('debugger') }, 'ended', undefined, /has not started/u],
    [
      'of one that nobody runs',
      ended,
      { run: runOf('debugger'), isOwnServer: true },
      'ended',
      undefined,
      /no kubelets: no container runs/u,
    ],
    ['of the run before', ended, { isPrevious: true }, 'ended', undefined, /run before/u],
    ['of a deleted Pod', failed(waiting), { run: containerRun(pod, 'web', true) }, 'ended', undefined, /deleted/u],
    ['before the container started', failed(waiting), {}, 'waiting', 10_000, /not started yet.*ContainerCreating/u],
    ['without a run before', failed(noPrevious), {}, 'refused', undefined, /no log.*not found/u],
    [
      'without permission',
      failed(forbidden({ group: '', plural: 'pods' }, 'web', 'no')),
      {},
      'refused',
      undefined,
      /no log: .*no/u,
    ],
    ['by a broken connection', failed(new Error('cut off')), { failures: 1 }, 'broken', 1000, /cut off/u],
    ['because nobody answers', failed(serviceUnavailable('away')), {}, 'broken', 500, /away/u],
    [
      'of a server without kubelets',
      failed(badRequest('x')),
      { isOwnServer: true },
      'refused',
      undefined,
      /no kubelets.*x/u,
    ],
  ])('%s', (_, outcome, more, phase, again, text) => {
    const step = afterLog(outcome, { ...usual, ...more });
    expect(step.phase.type).toBe(phase);
    expect('text' in step.phase ? step.phase.text : '').toMatch(text);
    expect(step.againAfterMs).toBe(again);
  });
});

describe('text with the codes of terminals', () => {
  it('keeps colors, and does nothing else', () => {
    expect(ansiSpans('a\u001b[1;31mb\u001b[0mc\u001b[38;5;2md\u001b[38;2;1;2;3me\u001b[94;22mf')).toEqual([
      { text: 'a', style: '' },
      { text: 'b', style: 'ansi-red ansi-bold' },
      { text: 'c', style: '' },
      { text: 'd', style: 'ansi-green' },
      { text: 'e', style: '' },
      { text: 'f', style: 'ansi-blue' },
    ]);
    expect(withoutCodes('\u001b[2Ja\u001b]0;title\u0007b\u001b]8;;http://x\u001b\\c\u001bMd\u001b[?25le\u001b')).toBe(
      'abcde',
    );
  });

  it('shows what cannot be seen, and what turns text around', () => {
    expect(visibleText('a\u0000\u0007\r\u007f\u009b\u202eb\tc')).toBe('a␀␇␍␡\\u009b\\u202eb\tc');
  });

  it('takes no longer than the text is long', () => {
    for (const hostile of ['\u001b[', '\u001b]', '\u001b[0', '\u001b[ ', '\u001b\u001b]x']) {
      expect(withoutCodes(hostile.repeat(100_000)).length).toBeLessThan(300_001);
    }
  });
});
