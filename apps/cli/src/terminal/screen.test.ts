import { FakeClock } from '@listwatch/testing';
import { describe, expect, it } from 'vitest';
import { type FakeHost, fakeHost } from '../fake-host.fixture.ts';
import { Screen } from './screen.ts';

const ERASE = '\r\u001B[2K';

function screenOn(
  options: Parameters<typeof fakeHost>[0],
  status: () => string = () => 'live',
): { host: FakeHost; clock: FakeClock; screen: Screen } {
  const host = fakeHost(options);
  const clock = new FakeClock();
  return { host, clock, screen: new Screen({ host, clock, paint: (_style, text) => text, status }) };
}

describe('the screen', () => {
  it('draws the status on stderr, and again only when it says something else', async () => {
    let text = 'one';
    const { host, clock } = screenOn({ terminal: true }, () => text);
    await clock.advance(1000);
    expect(host.written.stderr).toBe('one');
    text = 'two';
    await clock.advance(1000);
    expect(host.written).toEqual({ stdout: '', stderr: `one${ERASE}two` });
  });

  it('clears the status before a line on the same terminal, and draws it again a moment later', async () => {
    const { host, clock, screen } = screenOn({ terminal: true });
    void screen.print('a');
    void screen.print('b');
    expect(host.written).toEqual({ stdout: 'a\nb\n', stderr: `live${ERASE}` });
    await clock.advance(50);
    expect(host.written.stderr).toBe(`live${ERASE}live`);
  });

  it('draws soon, and not for every change, what has changed', async () => {
    let text = 'one';
    const { host, clock, screen } = screenOn({ terminal: true }, () => text);
    text = 'two';
    screen.refresh();
    await clock.advance(30);
    screen.refresh();
    await clock.advance(20);
    expect(host.written.stderr).toBe(`one${ERASE}two`);
  });

  it('leaves the status alone when the output goes elsewhere', () => {
    const { host, screen } = screenOn({ terminal: 'stderr' });
    void screen.print('a');
    expect(host.written).toEqual({ stdout: 'a\n', stderr: 'live' });
  });

  it('puts notes above the status', () => {
    const { host, screen } = screenOn({ terminal: 'stderr' });
    screen.note('broken');
    expect(host.written.stderr).toBe(`live${ERASE}broken\n`);
  });

  it.each([
    [10, '012345678'],
    [0, '0123456789abc'],
  ])('cuts the status to a terminal %i wide, unless that is not known', (columns, expected) => {
    const { host } = screenOn({ terminal: true, columns }, () => '0123456789abc');
    expect(host.written.stderr).toBe(expected);
  });

  it('shows no status where nobody looks', async () => {
    const { host, clock, screen } = screenOn({});
    await clock.advance(5000);
    screen.note('broken');
    screen.stop();
    expect(host.written).toEqual({ stdout: '', stderr: 'broken\n' });
  });

  it('leaves nothing behind when it stops: no status, no timer', async () => {
    const { host, clock, screen } = screenOn({ terminal: true });
    screen.stop();
    await clock.advance(5000);
    expect(host.written.stderr).toBe(`live${ERASE}`);
  });
});
