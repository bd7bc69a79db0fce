import { painter } from '@listwatch/api/internal';
import { describe, expect, it } from 'vitest';
import { createLog } from './create-log.ts';

type LogFormat = 'json' | 'text';

function logged(
  format: LogFormat | undefined,
  verbosity: number,
  isTerminal = false,
): { text: () => string; log: ReturnType<typeof createLog> } {
  let text = '';
  const output = { isTerminal, write: (more: string) => void (text += more) };
  const log = createLog({ format, verbosity, output, paint: painter(isTerminal, {}) });
  return { text: () => text, log };
}

describe('the log', () => {
  it('is one JSON object a line, with a level and a time that people can read', () => {
    const { text, log } = logged('json', 0);
    log.info({ url: 'https://a' }, 'ready');
    log.warn('careful');
    const [first, second] = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ level: 'info', url: 'https://a', msg: 'ready', pid: process.pid });
    expect(new Date(first.time).getTime()).toBeGreaterThan(0);
    expect(second).toMatchObject({ level: 'warn', msg: 'careful' });
  });

  it('is short lines for people', () => {
    const { text, log } = logged('text', 0);
    log.info({ signal: 'SIGTERM', note: 'two words' }, 'ending');
    expect(text()).toMatch(/^\d\d:\d\d:\d\d info {2}ending signal=SIGTERM note="two words"\n$/u);
  });

  it('has the message and the code of an error that is a field, and not all that is attached to it', () => {
    const { text, log } = logged('json', 0);
    log.warn({ error: Object.assign(new Error('no lease'), { code: 'LOST', status: { huge: true } }) }, 'careful');
    log.warn({ error: 'a text' }, 'careful');
    const [first, second] = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first.error).toEqual({ name: 'Error', code: 'LOST', message: 'no lease' });
    expect(second.error).toBe('a text');
  });

  it('is text on a terminal and JSON elsewhere, unless it is told', () => {
    const [person, machine] = [logged(undefined, 0, true), logged(undefined, 0)];
    for (const { log } of [person, machine]) log.info('x');
    expect(person.text()).toMatch(/info .*x\n$/u);
    expect(JSON.parse(machine.text())).toMatchObject({ level: 'info', msg: 'x' });
  });

  it('says a cause once, however many errors carry its message on', () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:6443');
    const listing = Object.assign(new Error(`list pods: ${refused.message}`, { cause: refused }), { code: 'REFUSED' });
    const late = Object.assign(new Error(`no cache after 5 s: ${listing.message}`, { cause: listing }), {
      code: 'LATE',
    });
    for (const format of ['json', 'text'] as const) {
      const { text, log } = logged(format, 0);
      log.error({ error: late }, 'stopped');
      expect(text().match(/ECONNREFUSED/gu)).toHaveLength(1);
    }
  });

  it('says a cause that the message leaves out', () => {
    const { text, log } = logged('json', 0);
    log.error({ error: new Error('not saved', { cause: new Error('disk full') }) }, 'x');
    expect(JSON.parse(text()).error).toMatchObject({ message: 'not saved', causes: ['disk full'] });
  });

  it('ends at an error that is its own cause', () => {
    const { text, log } = logged('json', 0);
    const odd = new Error('odd');
    odd.cause = odd;
    log.error({ error: odd }, 'x');
    expect(JSON.parse(text()).error.message).toBe('odd');
  });

  it('has the stack of what was not foreseen, and none of an error with a code', () => {
    const { text, log } = logged('json', 0);
    log.error({ error: new TypeError('odd') }, 'x');
    log.error({ error: Object.assign(new Error('known'), { code: 'KNOWN' }) }, 'x');
    const [odd, known] = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error);
    expect(odd.stack).toMatch(/^at .*create-log\.test\.ts/u);
    expect(known).not.toHaveProperty('stack');
  });

  it('shows the stack of an error on lines of its own', () => {
    const { text, log } = logged('text', 0);
    log.error({ err: new TypeError('odd') }, 'a request failed');
    expect(text()).toMatch(/error a request failed\n {2}TypeError: odd\n {6}at /u);
  });

  it.each<LogFormat>(['text', 'json'])('as %s cannot steer a terminal, whatever clients send', (format) => {
    const { text, log } = logged(format, 0);
    const evil = '\u001b[2J\u009b1m\r\n\u202eevil\u2028';
    log.info({ [evil]: evil, path: `/${evil}`, nested: { evil } }, `a request of ${evil}`);
    expect(text().trimEnd()).toContain('evil');
    expect(text().trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    log.error({ err: new Error(evil) }, 'failed');
    expect(text().replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  });

  it('says how it got there only when asked', () => {
    const quiet = logged('text', 0);
    const loud = logged('text', 1);
    for (const { log } of [quiet, loud]) log.debug('detail');
    expect(quiet.text()).toBe('');
    expect(loud.text()).toContain('detail');
  });

  it('has colours on a terminal, unless they are not wanted', () => {
    const { text, log } = logged('text', 0, true);
    log.info('x');
    expect(text()).toContain('\u001B[36minfo ');
    expect(painter(true, { NO_COLOR: '1' })('red', 'x')).toBe('x');
    expect(painter(true, { TERM: 'dumb' })('red', 'x')).toBe('x');
  });
});
