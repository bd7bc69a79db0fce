/** docs/interop.md, from the results. */

import type { InteropClient } from './clients.ts';
import { type ClientRun, type Finding, type InteropResults, STEPS, type Step } from './result.ts';

const HEAD = `# Which clients work

Every client below runs the scenario of [interop/README.md](../interop/README.md) against \`listwatch serve\`, on LMDB and on etcd, each in its own
program. At the end of each step the runner compares the client's view with the server's list, key by key and version by version. No program
was restarted. \`npm run interop\` writes this page.

- **yes**: it passed on both engines.
- **-**: the client has no API for this step; the reason is below.
- **NO**: it failed; what happened is below.
`;

/** The page. Clients without a result are "not run". */
export function interopPage(clients: readonly InteropClient[], results: InteropResults): string {
  const rows = clients.map((client) => ({ client, runs: runsOf(client, results) }));
  const summary = table(
    ['client', 'language', 'version', 'engines', 'run on', ...STEPS],
    rows.map(({ client, runs }) => summaryRow(client, runs)),
  );
  const details = rows.map(({ client, runs }) => detailsOf(client, runs, results)).filter((text) => text !== '');
  return [HEAD, summary, ...details].join('\n');
}

function runsOf({ name }: InteropClient, { runs }: InteropResults): readonly ClientRun[] {
  return runs.filter(({ client }) => client === name);
}

function summaryRow({ title, language }: InteropClient, runs: readonly ClientRun[]): readonly string[] {
  const [first] = runs;
  if (first === undefined) return [title, language, '', 'not run', '', ...STEPS.map(() => '')];
  const engines = runs.map(({ engine, form }) => (form === 'full' ? engine : `${engine} (short)`)).join(', ');
  const dates = [...new Set(runs.map(({ date }) => date))].join(', ');
  return [title, language, first.version, engines, dates, ...STEPS.map((step) => cell(step, runs))];
}

function cell(step: Step, runs: readonly ClientRun[]): string {
  const found = findingsOf(runs, step);
  if (found.some(({ outcome }) => outcome === 'failed')) return 'NO';
  if (found.some(({ outcome }) => outcome === 'passed')) return 'yes';
  return '-';
}

function findingsOf(runs: readonly ClientRun[], step: Step): readonly Finding[] {
  return runs.flatMap(({ findings }) => findings).filter((finding) => finding.step === step);
}

function detailsOf({ name, title, notes }: InteropClient, runs: readonly ClientRun[], results: InteropResults): string {
  const missing = results.notRun.find(({ client }) => client === name);
  const lines = [...notes];
  if (runs.length === 0) lines.unshift(`Not run: ${missing?.reason ?? 'there is no result yet'}.`);
  const [first] = runs;
  if (first !== undefined && first.views.length > 0) {
    lines.push(
      `Views: ${first.views.map((view) => `\`${view}\``).join(', ')}, each for all objects and with a selector.`,
    );
    lines.push(relistsOf(runs));
  }
  const own = first?.findings.filter(({ step }) => step === 'own') ?? [];
  if (own.length > 0) lines.push(`Its own: ${own.map(({ part }) => part).join(', ')}.`);
  for (const text of new Set(
    runs.flatMap(({ findings, engine }) => findings.flatMap((found) => problem(found, engine))),
  )) {
    lines.push(text);
  }
  return lines.length === 0 ? '' : `\n## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}

/** Whether the views resumed or listed again, by the server's own count of LIST requests. */
function relistsOf(runs: readonly ClientRun[]): string {
  const counts = runs.map(({ engine, relists }) => {
    const { cut = 0, kill = 0, expire = 0 } = relists;
    return `${cut} after the cut, ${kill} after the kill, ${expire} after the 410 on ${engine}`;
  });
  return `LIST requests of all views together: ${counts.join('; ')}.`;
}

function problem({ step, part, outcome, text }: Finding, engine: string): readonly string[] {
  const what = part === '' ? step : `${step} (${part})`;
  if (outcome === 'failed') return [`**failed** on ${engine}: ${what}: ${text}`];
  return outcome === 'not offered' ? [`not offered: ${what}: ${text}`] : [];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}
