import { describe, expect, it } from 'vitest';
import { parseCommandLine } from './command-line.ts';
import { optionName } from './serve/option-spec.ts';
import { SETTING_NAMES } from './serve/serve-options.ts';

function printed(...args: readonly string[]): string {
  const invocation = parseCommandLine(args, '1.2.3');
  return invocation.type === 'print' ? invocation.text : '';
}

describe('the command line', () => {
  it.each(SETTING_NAMES)('takes %s as text, with a space or an equals sign', (name) => {
    const flag = `--${optionName(name)}`;
    const expected = { type: 'serve', flags: { [name]: 'some text' } };
    expect(parseCommandLine(['serve', flag, 'some text'], '')).toEqual(expected);
    expect(parseCommandLine(['serve', `${flag}=some text`], '')).toEqual(expected);
  });

  it.each([
    [['-v', '2'], '2'],
    [['-v2'], '2'],
    [['-v=2'], '=2'],
  ])('takes the verbosity as %j', (args, verbosity) => {
    expect(parseCommandLine(['serve', ...args], '')).toEqual({ type: 'serve', flags: { verbosity } });
  });

  it('sets nothing that was not given', () => {
    expect(parseCommandLine(['serve'], '')).toEqual({ type: 'serve', flags: {} });
  });

  it('prints the version', () => {
    expect(printed('--version')).toBe('1.2.3\n');
  });

  it.each([[[]], [['--help']], [['-h']], [['help']]])('prints its help for %j', (args) => {
    expect(printed(...args)).toContain('listwatch serve --help');
  });

  it.each([[['serve', '--help']], [['help', 'serve']]])('teaches serve for %j', (args) => {
    const help = printed(...args);
    for (const name of SETTING_NAMES) expect(help).toContain(`--${optionName(name)} <`);
    expect(help).toContain('$ kubectl get configmaps -A -w');
    expect(help).toMatch(/^Storage:$/mu);
    expect(help).toContain('LISTWATCH_BIND_ADDRESS');
    expect(help).not.toContain('undefined');
  });

  it('takes what is watched, its name and its options', () => {
    const args = ['watch', 'pods', 'web-1', '-n', 'shop', '-l', 'app=web', '--as-group', 'a', '--as-group', 'b'];
    expect(parseCommandLine(args, '')).toEqual({
      type: 'watch',
      flags: {
        resource: 'pods',
        name: 'web-1',
        namespace: 'shop',
        selector: 'app=web',
        asGroup: ['a', 'b'],
        status: true,
      },
    });
  });

  it.each([[['watch', '--help']], [['help', 'watch']]])('teaches watch for %j', (args) => {
    const help = printed(...args);
    expect(help).toContain('$ listwatch watch pods -A -l app=web');
    expect(help).toMatch(/^Which cluster:$/mu);
    expect(help).toContain('Exit codes:');
    expect(help).not.toContain('undefined');
  });

  it.each([
    [['serve', '--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
    [['serve', '--port'], "option '--port <PORT>' argument missing"],
    [['serve', 'now'], "too many arguments for 'serve'. Expected 0 arguments but got 1."],
    [['watch', 'pods', 'a', 'b'], "too many arguments for 'watch'. Expected 2 arguments but got 3."],
    [['sevre'], "unknown command 'sevre' (Did you mean serve?)"],
  ])('refuses %j with one line', (args, message) => {
    expect(() => parseCommandLine(args, '')).toThrow(expect.objectContaining({ name: 'UsageError', message }));
  });
});
