/** docs/interop.md, from the results. */

import type { InteropClient } from './clients.ts';
import { type ClientRun, type Finding, type InteropResults, STEPS, type Step } from './result.ts';

const HEAD = `# Which clients work

Every client below runs the scenario of [interop/README.md](../interop/README.md) against \`listwatch serve\`, on LMDB and on etcd, each in its own
program; those with "relay (short)" in their row also its short form, with fewer objects, through \`listwatch relay\`. At the end of each step the runner compares the client's view with the server's list, key by key and version by version. No program
was restarted. \`npm run interop\` writes this page.

- **yes**: it passed on the engines of the row.
- **part**: the client does not offer all of it; what it offers passed. The reason is below.
- **-**: the client does not offer it; the reason is below. In the last column: it has nothing of its own.
- **NO**: it failed; what happened is below.
`;

const OTHERS_HEAD = `Kubernetes' own programs, and controllers with CRDs, take no commands. Their tests compare what they do on our server with what they do on
a kube-apiserver; \`npm run test:real\` builds and runs them:
`;
const LONG = '[kubernetes-long](../apps/cli/src/kubernetes-long.process.test.ts)';
const OTHERS = [
  [
    'kube-controller-manager, all controllers, in JSON and protobuf',
    'workloads, a rollout and a rollback, quota, a restart of the server',
    `[kubernetes-programs](../apps/cli/src/kubernetes-programs.process.test.ts); with kills for ten minutes on each engine, by \`npm run test:kubernetes\`: ${LONG}`,
  ],
  ['kube-scheduler', 'binds the Pods of these workloads', 'the same'],
  [
    'sample-controller with its CRD',
    'a Deployment for each Foo',
    '[go-controllers](../apps/cli/src/go-controllers.process.test.ts)',
  ],
  [
    'controller-runtime: a manager with a controller that owns ConfigMaps',
    'server-side apply, status, a finalizer, a CRD with CEL rules',
    'the same',
  ],
  [
    'gatekeeper',
    'its certificate, three webhooks, policies in Rego and in CEL, a mutation',
    '[gatekeeper](../apps/cli/src/gatekeeper.process.test.ts)',
  ],
  [
    'the webhook of cert-manager',
    'what it refuses and fills in; its authority in a Secret',
    '[cert-manager-webhook](../apps/cli/src/cert-manager-webhook.process.test.ts)',
  ],
  [
    'end-to-end tests of Kubernetes',
    'admission policies, flow control, ServiceCIDRs, OpenAPI of custom kinds',
    '[e2e-specs](../apps/cli/src/e2e-specs.process.test.ts)',
  ],
] as const;

/** The page. Clients without a result are "not run". */
export function interopPage(clients: readonly InteropClient[], results: InteropResults): string {
  const rows = clients.map((client) => ({ client, runs: runsOf(client, results) }));
  const summary = table(
    ['client', 'language', 'version', 'engines', 'run on', ...STEPS],
    rows.map(({ client, runs }) => summaryRow(client, runs)),
  );
  const details = rows.map(({ client, runs }) => detailsOf(client, runs, results)).filter((text) => text !== '');
  const others = table(['program', 'what it does', 'test'], OTHERS);
  return [HEAD, summary, OTHERS_HEAD, others, ...details].join('\n');
}

function runsOf({ name }: InteropClient, { runs }: InteropResults): readonly ClientRun[] {
  return runs.filter(({ client }) => client === name);
}

function summaryRow({ title, language }: InteropClient, runs: readonly ClientRun[]): readonly string[] {
  const own = runs.filter(({ engine }) => engine !== 'kube-apiserver');
  const [first] = own;
  if (first === undefined) return [title, language, '', 'not run', '', ...STEPS.map(() => '')];
  const engines = own.map(({ engine, form }) => (form === 'full' ? engine : `${engine} (short)`)).join(', ');
  const dates = [...new Set(own.map(({ date }) => date))].join(', ');
  return [title, language, first.version, engines, dates, ...STEPS.map((step) => cell(step, own))];
}

function cell(step: Step, runs: readonly ClientRun[]): string {
  const found = findingsOf(runs, step);
  if (found.some(({ outcome }) => outcome === 'failed')) return 'NO';
  if (!found.some(({ outcome }) => outcome === 'passed')) return '-';
  return found.some(({ outcome }) => outcome === 'not offered') ? 'part' : 'yes';
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
  lines.push(...notOffered(runs), ...failures(runs));
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}

/** Whether the views resumed or listed again, by the server's own count of requests. */
function relistsOf(runs: readonly ClientRun[]): string {
  const counts = runs.map(({ engine, relists }) => {
    const { cut = 0, kill = 0, expire = 0 } = relists;
    return `${cut} after the cut, ${kill} after the kill, ${expire} after the 410 on ${engine}`;
  });
  return `LIST and watch-list requests of all views together: ${counts.join('; ')}.`;
}

/** One line for each reason, with everything that it is the reason for. */
function notOffered(runs: readonly ClientRun[]): readonly string[] {
  const reasons = new Map<string, Set<string>>();
  for (const finding of runs.flatMap(({ findings }) => findings)) {
    if (finding.outcome !== 'not offered') continue;
    reasons.set(finding.text, (reasons.get(finding.text) ?? new Set()).add(placeOf(finding)));
  }
  return [...reasons].map(([reason, places]) => `Not offered: ${[...places].join(', ')}. ${capital(reason)}.`);
}

function failures(runs: readonly ClientRun[]): readonly string[] {
  return runs.flatMap(({ engine, findings }) =>
    findings
      .filter(({ outcome }) => outcome === 'failed')
      .map((finding) => `**Failed** on ${engine}: ${placeOf(finding)}. ${finding.text}`),
  );
}

function placeOf({ step, part }: Finding): string {
  return part === '' ? step : `${step} (${part})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}
