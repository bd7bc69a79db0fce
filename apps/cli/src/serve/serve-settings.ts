/** From flags, environment and file to one set of checked settings. */

import { UsageError } from '../usage-error.ts';
import { checkAuthenticationFlags } from './access/authentication-flags.ts';
import { checkAuthorizationFlags } from './access/authorization-flags.ts';
import { type RawOptions, readConfigFile } from './config-file.ts';
import { type OptionSpec, optionName } from './option-spec.ts';
import { SERVE_OPTIONS, SETTING_NAMES, type ServeSettings, variableName } from './serve-options.ts';

/** What was said, by where it was said. */
export interface OptionSources {
  /** Flags; `config` is the file to read. */
  readonly flags: RawOptions & { readonly config?: string | undefined };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the file. Default: from disk. */
  readonly readFile?: ((path: string) => RawOptions) | undefined;
}

/** Where a value comes from. */
export type SettingSource = 'flag' | 'environment' | 'file' | 'default';

/** The settings, and who set each. */
export interface ResolvedSettings {
  readonly settings: ServeSettings;
  readonly sources: Readonly<Record<keyof ServeSettings, SettingSource>>;
}

type Values = { -readonly [K in keyof ServeSettings]: ServeSettings[K] };

interface Said {
  readonly text: string;
  readonly source: SettingSource;
  /** The option as the person has written it. */
  readonly label: string;
}

/** A flag wins over the environment, that over the file, that over the default. Throws a `UsageError` for a wrong value. */
export function resolveSettings({ flags, env, readFile = readConfigFile }: OptionSources): ResolvedSettings {
  const path = flags.config ?? present(env[variableName('config')]);
  const file = path === undefined ? {} : readFile(path);
  const values: Partial<Values> = {};
  const sources: Partial<Record<keyof ServeSettings, SettingSource>> = {};
  for (const name of SETTING_NAMES) {
    const said = whatWasSaid(name, { flags, env, file, path });
    settle(values, name, said);
    sources[name] = said?.source ?? 'default';
  }
  if (!isComplete(values) || !isComplete(sources)) throw new TypeError('a setting has no value');
  const settings = withImpliedStorage(values, sources);
  checkTogether(settings, sources);
  return { settings: Object.freeze(settings), sources };
}

function settle<K extends keyof ServeSettings>(
  values: { [N in K]?: Values[N] },
  name: K,
  said: Said | undefined,
): void {
  const option: OptionSpec<ServeSettings[K]> = SERVE_OPTIONS[name];
  values[name] = said === undefined ? option.fallback : parse(option, said);
}

function whatWasSaid(
  name: keyof ServeSettings,
  from: { flags: RawOptions; env: OptionSources['env']; file: RawOptions; path: string | undefined },
): Said | undefined {
  const flag = from.flags[name];
  if (flag !== undefined) return { text: flag, source: 'flag', label: `--${optionName(name)}` };
  const variable = variableName(name);
  const text = present(from.env[variable]);
  if (text !== undefined) return { text, source: 'environment', label: `--${optionName(name)} (${variable})` };
  const written = from.file[name];
  if (written === undefined) return undefined;
  return { text: written, source: 'file', label: `--${optionName(name)} (${from.path})` };
}

/** An empty variable is one that was not set: that is how compose files and unit files leave one out. */
function present(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function parse<T>({ kind }: OptionSpec<T>, { text, label }: Said): T {
  const value = kind.parse(text);
  if (value === undefined) throw new UsageError(`${label} must be ${kind.expected}, got ${JSON.stringify(text)}`);
  return value;
}

function isComplete<R extends Record<keyof ServeSettings, unknown>>(record: Partial<R>): record is R {
  return SETTING_NAMES.every((name) => Object.hasOwn(record, name));
}

/** Who names etcd's servers and no storage wants them used. */
function withImpliedStorage(settings: ServeSettings, sources: ResolvedSettings['sources']): ServeSettings {
  const implied = sources.storage === 'default' && settings.etcdServers.length > 0;
  return implied ? { ...settings, storage: 'etcd' } : settings;
}

/** Options that mean nothing without one another. */
const PAIRS: readonly (readonly [keyof ServeSettings, keyof ServeSettings])[] = [
  ['tlsCertFile', 'tlsPrivateKeyFile'],
  ['etcdCertfile', 'etcdKeyfile'],
  ['etcdUsername', 'etcdPasswordFile'],
  ['oidcIssuerUrl', 'oidcClientId'],
];

function checkTogether(settings: ServeSettings, sources: ResolvedSettings['sources']): void {
  for (const [one, other] of PAIRS) {
    if ((settings[one] === undefined) === (settings[other] === undefined)) continue;
    const [given, missing] = settings[one] === undefined ? [other, one] : [one, other];
    throw new UsageError(
      `--${optionName(missing)} must be given with --${optionName(given)}, got only --${optionName(given)}`,
    );
  }
  const given = SETTING_NAMES.filter((name) => sources[name] !== 'default');
  checkAuthenticationFlags(settings, given);
  checkAuthorizationFlags(settings, given);
  if (settings.storage === 'etcd' && settings.etcdServers.length === 0) {
    throw new UsageError('--etcd-servers must be given with --storage etcd, got none');
  }
  if (settings.storage === 'etcd') return;
  // A file may hold etcd's options for another day; one that was typed just now is meant.
  const typed = SETTING_NAMES.find((name) => name.startsWith('etcd') && sources[name] === 'flag');
  if (typed !== undefined) {
    throw new UsageError(`--${optionName(typed)} must go with --storage etcd, got --storage ${settings.storage}`);
  }
}
