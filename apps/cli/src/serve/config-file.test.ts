import { describe, expect, it } from 'vitest';
import { parseConfig, readConfigFile } from './config-file.ts';

describe('a configuration file', () => {
  it('has the names of the flags, and its values are what one would type', () => {
    const text = 'port: 7443\nbind-address: "0.0.0.0"\nhistory: 7d\nverbosity: 2\n';
    expect(parseConfig(text, 'a.yaml')).toEqual({
      port: '7443',
      bindAddress: '0.0.0.0',
      history: '7d',
      verbosity: '2',
    });
  });

  it('may write lists and maps as YAML does', () => {
    const text = 'etcd-servers:\n  - http://a:1\n  - http://b:1\nwatch-cache-sizes:\n  pods: 1000\n  events: 5\n';
    const expected = { etcdServers: 'http://a:1,http://b:1', watchCacheSizes: 'pods#1000,events#5' };
    expect(parseConfig(text, 'a.yaml')).toEqual(expected);
  });

  it.each(['', '# nothing yet\n', '---\n'])('may be empty: %j', (text) => {
    expect(parseConfig(text, 'a.yaml')).toEqual({});
  });

  it.each([
    ['prot: 1', 'got "prot" in a.yaml'],
    ['bindAddress: 127.0.0.1', 'got "bindAddress" in a.yaml'],
    ['config: b.yaml', 'got "config" in a.yaml'],
    ['- port', '--config must be a map of options, got ["port"] in a.yaml'],
    ['just text', '--config must be a map of options'],
    ['port: [1]', 'port in a.yaml must be a whole number from 0 to 65535, got [1]'],
    ['port:', 'port in a.yaml must be a whole number from 0 to 65535, got nothing'],
    ['etcd-servers: {a: b}', 'etcd-servers in a.yaml must be a list'],
    ['watch-cache-sizes: {pods: [1]}', 'watch-cache-sizes in a.yaml must be resource[.group]#size'],
    ['port: 1\nport: 2', '--config must be YAML: a.yaml: duplicated mapping key at line 2, column 1'],
    ['port: "1', '--config must be YAML: a.yaml: unexpected end of the stream within a double quoted scalar'],
  ])('%j is refused with one line', (text, message) => {
    expect(() => parseConfig(text, 'a.yaml')).toThrow(message);
    expect(() => parseConfig(text, 'a.yaml')).not.toThrow(/\n/u);
  });

  it('that is missing is said to be', () => {
    expect(() => readConfigFile('/nowhere.yaml')).toThrow(
      '--config must be a file that can be read, got "/nowhere.yaml": there is no such file',
    );
  });
});
