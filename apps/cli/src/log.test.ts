import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-host.fixture.ts';
import { createLog } from './log.ts';
import { painter } from './paint.ts';
import type { LogFormat } from './serve/serve-options.ts';

function logged(
  format: LogFormat,
  verbosity: number,
  terminal = false,
): { text: () => string; log: ReturnType<typeof createLog> } {
  const host = fakeHost({ terminal });
  const log = createLog({ format, verbosity, output: host.stdout, paint: painter(terminal, host.env) });
  return { text: () => host.written.stdout, log };
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
