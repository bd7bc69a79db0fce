import { describe, expect, it } from 'vitest';
import { PORT_START, stepPort } from './port-protocol.ts';

/** The data and the error of messages, as text. */
function run(messages: readonly (readonly number[])[]): { data: string; error: string } {
  let state = PORT_START;
  let data = '';
  for (const message of messages) {
    const step = stepPort(state, Uint8Array.from(message));
    state = step.state;
    data += new TextDecoder().decode(step.bytes);
  }
  return { data, error: state.error };
}

describe('the protocol of ports', () => {
  it('the first two bytes of each channel are the port, and no data', () => {
    expect(
      run([
        [0, 80, 0],
        [1, 80, 0],
        [0, 97],
        [0, 98, 99],
      ]),
    ).toEqual({ data: 'abc', error: '' });
  });

  it('the port may come a byte at a time, or with the first data', () => {
    expect(run([[0, 80], [0], [0, 0, 97], [1, 80, 0, 98]])).toEqual({ data: 'a', error: 'b' });
  });

  it('unknown channels and empty messages are left alone', () => {
    expect(run([[], [2, 1, 2, 3], [255, 0], [0, 80, 0, 97]])).toEqual({ data: 'a', error: '' });
  });

  it('an error without an end is kept up to a limit', () => {
    const long = [1, ...Array.from({ length: 30_000 }, () => 97)];
    expect(run([long, long, long]).error.length).toBe(16 * 1024);
  });
});
