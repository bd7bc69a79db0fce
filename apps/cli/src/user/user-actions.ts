/** `listwatch user add|list|revoke`. */

import { join, resolve } from 'node:path';
import { printable } from '@listwatch/api/internal';
import { isRecord, recordsOf } from '@listwatch/api/values';
import { connect } from '@listwatch/client';
import { dump, load } from 'js-yaml';
import { explainNoAnswer } from '../cluster/explain-refusal.ts';
import { type Connect, openCluster } from '../cluster/open-cluster.ts';
import type { Host } from '../host.ts';
import { DATA_NAMES } from '../serve/data-folder.ts';
import { createPrivateFile, readIfExists } from '../serve/private-file.ts';
import { shellWord } from '../shell-word.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import { newCredential } from './new-credential.ts';
import type { UserFlags } from './user-command.ts';
import { type UserRecord, UserRecords } from './user-records.ts';

const DEFAULT_HOURS = 720;
const MAX_HOURS = 8760;
/** Longer ones do not fit into a certificate that every client reads. */
const NAME_MAX = 64;

/** Resolves with the exit code. Throws a `UsageError` or a `StartError`. */
export async function user(flags: UserFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  const data = resolve(host.folder, flags.data ?? host.env['LISTWATCH_DATA'] ?? '.listwatch');
  const kubeconfig = join(data, DATA_NAMES.kubeconfig);
  const section = clusterSection(kubeconfig);
  if (flags.action === 'add') checkOrder(flags, host);
  await using cluster = await openCluster(connectTo, { kubeconfig, maxRetries: 0 }, host);
  const records = new UserRecords(cluster);
  try {
    if (flags.action === 'add') return await add(flags, { records, data, section, host });
    return flags.action === 'list' ? await list(records, host) : await revoke(flags, records, host);
  } catch (error) {
    const why = explainNoAnswer(error, { server: cluster.server, what: 'read and write Secrets in kube-system' });
    if (why === undefined) throw error;
    throw new StartError(`${why} (is the server of ${data} running?)`, { cause: error });
  }
}

type Add = Extract<UserFlags, { readonly action: 'add' }>;

function checkOrder({ name, group = [], hours, out = '' }: Add, host: Host): void {
  for (const [what, text] of [['NAME', name], ...group.map((one) => ['--group', one])] as const) {
    if (text === undefined || text === '' || text.length > NAME_MAX || text !== printable(text)) {
      throw new UsageError(
        `${what} must be a text of 1 to ${NAME_MAX} printable characters, got ${JSON.stringify(text)}`,
      );
    }
  }
  if (name.startsWith('system:')) throw new UsageError(`NAME must not begin with system:, got ${JSON.stringify(name)}`);
  hoursOf(hours);
  if (out !== '-' && readIfExists(resolve(host.folder, out)) !== undefined) {
    throw new UsageError(`--out must be a file that does not exist yet, got ${JSON.stringify(out)}`);
  }
}

function hoursOf(text: string | undefined): number {
  const hours = text === undefined ? DEFAULT_HOURS : Number(text);
  if (Number.isInteger(hours) && hours >= 1 && hours <= MAX_HOURS) return hours;
  throw new UsageError(`--hours must be a whole number from 1 to ${MAX_HOURS}, got ${JSON.stringify(text)}`);
}

interface AddContext {
  readonly records: UserRecords;
  readonly data: string;
  readonly section: unknown;
  readonly host: Host;
}

async function add(flags: Add, { records, data, section, host }: AddContext): Promise<number> {
  const { name, group: groups = [], out = '-' } = flags;
  const now = Date.now();
  const { user: credential, record } = newCredential({
    name,
    groups,
    kind: flags.token === true ? 'token' : 'certificate',
    hours: hoursOf(flags.hours),
    pki: join(data, DATA_NAMES.pki),
    now,
  });
  // Records of the past are of no use: otherwise they would grow for ever.
  for (const old of await records.list()) if (old.expires < now) await records.remove(old.id);
  // Before the file: a credential that nobody could revoke must not be handed over.
  await records.add(record);
  const text = kubeconfigOf(name, section, credential);
  if (out === '-') host.stdout.write(text);
  else await write(resolve(host.folder, out), text, () => records.remove(record.id));
  if (groups.includes('system:masters')) host.stderr.write('listwatch: members of system:masters may do everything\n');
  const place = flags.data === undefined ? '' : ` --data ${shellWord(flags.data)}`;
  const undo = `listwatch user revoke ${shellWord(name)} --id ${record.id}${place}`;
  host.stderr.write(`${describe(record)}; revoke it with: ${undo}\n`);
  return 0;
}

async function write(path: string, text: string, undo: () => Promise<void>): Promise<void> {
  try {
    if (createPrivateFile(path, text)) return;
    throw new StartError(`${path} exists already and is left as it is`);
  } catch (error) {
    await undo();
    throw error;
  }
}

function describe({ name, groups, kind, expires }: UserRecord): string {
  const member = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  return printable(`gave ${name}${member} a ${kind} until ${new Date(expires).toISOString()}`);
}

async function list(records: UserRecords, host: Host): Promise<number> {
  const now = Date.now();
  const rows = (await records.list())
    .toSorted((one, other) => one.created - other.created)
    .map((record) => [
      record.name,
      record.groups.join(','),
      record.kind,
      record.revoked !== undefined ? 'revoked' : record.expires < now ? 'expired' : 'valid',
      Number.isNaN(record.expires) ? '' : new Date(record.expires).toISOString(),
      record.id,
    ]);
  const table = [['NAME', 'GROUPS', 'CREDENTIAL', 'STATE', 'EXPIRES', 'ID'], ...rows];
  const widths = table[0]?.map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of table) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    host.stdout.write(`${printable(line).trimEnd()}\n`);
  }
  return 0;
}

async function revoke(
  { name, id }: Extract<UserFlags, { readonly action: 'revoke' }>,
  records: UserRecords,
  host: Host,
): Promise<number> {
  const found = (await records.list()).filter(
    (record) => record.name === name && record.revoked === undefined && (id === undefined || record.id === id),
  );
  if (found.length === 0) {
    const which = id === undefined ? '' : ` with the id ${id}`;
    throw new StartError(`${name} has no credential${which} that could be revoked; listwatch user list shows all`);
  }
  for (const record of found) {
    await records.revoke(record, Date.now());
    host.stdout.write(`${printable(`revoked the ${record.kind} ${record.id} of ${name}`)}\n`);
  }
  return 0;
}

/** The cluster of the server's own kubeconfig. */
function clusterSection(path: string): unknown {
  const text = readIfExists(path);
  if (text === undefined) {
    throw new StartError(`${path} does not exist: start the server, or name its data folder with --data`);
  }
  const config = load(text, { maxAliases: 0 });
  const [cluster] = isRecord(config) ? recordsOf(config['clusters']) : [];
  if (cluster === undefined) throw new StartError(`${path} names no cluster`);
  return cluster['cluster'];
}

function kubeconfigOf(name: string, cluster: unknown, credential: object): string {
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'listwatch', cluster }],
      users: [{ name, user: credential }],
      contexts: [{ name: 'listwatch', context: { cluster: 'listwatch', user: name } }],
      'current-context': 'listwatch',
    },
    { lineWidth: -1 },
  );
}
