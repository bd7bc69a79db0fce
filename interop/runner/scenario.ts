/** The scenario of interop/README.md, for one or more programs at once. */

import { connect } from '@listwatch/client';
import * as kinds from '@listwatch/kinds';
import { type ChurnPlan, churn } from './churn.ts';
import type { ClientProgram } from './client-program.ts';
import { Collection, NAMESPACE, SELECTOR } from './collection.ts';
import { Examinee } from './examinee.ts';
import type { ScenarioServer } from './scenario-server.ts';
import { readResources } from './server-facts.ts';

export interface ScenarioPlan {
  readonly objects: number;
  readonly churn: ChurnPlan;
  /** All views resume after a cut and a kill: a list or watch-list there is a failure. Default: false. */
  readonly resumes?: boolean | undefined;
}

/** A program that takes part. */
export interface Candidate {
  readonly program: ClientProgram;
  /** How long a view may take to become equal. Default: 90 seconds. */
  readonly viewLimitMs?: number | undefined;
}

export const FULL: ScenarioPlan = { objects: 40, churn: { objects: 2000, seconds: 20, writers: 8 } };
export const SHORT: ScenarioPlan = { objects: 16, churn: { objects: 100, seconds: 1, writers: 4 } };

const PAGE = 7;
const name = (index: number): string => `object-${index}`;

/** Reads of all objects since the start of the server. */
interface ReadCount {
  readonly all: number;
  /** Those of the runner. */
  readonly own: number;
}

/** Takes all candidates through every step. The findings are in their examinees. */
export async function runScenario(
  server: ScenarioServer,
  candidates: readonly Candidate[],
  { objects, churn: churnPlan, resumes = false }: ScenarioPlan,
): Promise<readonly Examinee[]> {
  await using cluster = await connect({ kubeconfig: server.directKubeconfig });
  const collection = new Collection(cluster);
  await cluster.create(kinds.namespaces, { metadata: { name: NAMESPACE } });
  for (let index = 0; index < objects; index += 1) {
    await collection.create(name(index), index % 2 === 0 ? 'blue' : 'red');
  }
  const resources = await readResources(server.facts);
  const examinees = await Promise.all(
    candidates.map(({ program, viewLimitMs }) => Examinee.greet(program, viewLimitMs)),
  );
  const each = (work: (examinee: Examinee) => Promise<void>): Promise<unknown> => Promise.all(examinees.map(work));
  const views = (step: 'start' | 'cut' | 'selector' | 'kill' | 'expire' | 'churn'): Promise<unknown> =>
    each((examinee) => examinee.checkViews(step, collection));
  /** Checks all views, and counts how often programs have read all objects since then. */
  const viewsAfter = async (step: 'cut' | 'kill' | 'expire', since: ReadCount): Promise<void> => {
    await views(step);
    const relists = (await server.countReads()) - since.all - (collection.reads - since.own);
    for (const examinee of examinees) examinee.relists[step] = relists;
    const mustResume = resumes && (step === 'cut' || (step === 'kill' && server.resumesAfterKill));
    if (mustResume) for (const examinee of examinees) examinee.noteReads(step, relists);
  };
  const countReads = async (): Promise<ReadCount> => ({ all: await server.countReads(), own: collection.reads });

  for (const examinee of examinees) examinee.noteServer('discover', 'kinds', missingKinds(resources));
  await each((examinee) => examinee.checkDiscovery(resources));

  const all = await collection.read();
  const blue = await collection.read(SELECTOR);
  await each((examinee) => examinee.check('list', 'all', 'list all', all.versions));
  await each((examinee) => examinee.check('list', 'paged', `list paged ${PAGE}`, all.versions));
  await each((examinee) => examinee.check('list', 'selected', `list selected ${SELECTOR}`, blue.versions));
  await collection.change(name(0));
  await collection.delete(name(1));
  await each((examinee) => examinee.check('list', 'exact', `list exact ${all.version}`, all.versions));

  const { version } = await collection.read();
  await whileChanging(collection, name(0), () =>
    each((examinee) => examinee.checkBookmark(all.version, version, collection)),
  );

  await each((examinee) => examinee.start(SELECTOR));
  // Every watch gets an event before the cut: client-go lists again after one that was short and brought nothing.
  await each((examinee) => examinee.settle(collection));
  await collection.change(name(12));
  await views('start');

  const beforeCut = await countReads();
  server.proxy.refuse();
  server.proxy.cut();
  await collection.create('created-in-the-cut', 'blue');
  await collection.change(name(2));
  await collection.delete(name(3));
  await collection.delete(name(4));
  await server.proxy.accept();
  await viewsAfter('cut', beforeCut);

  await collection.change(name(5), { color: 'blue' });
  await collection.change(name(6), { color: 'red' });
  await collection.change(name(8), { color: 'red' });
  await collection.change(name(8), { color: 'blue' });
  await views('selector');

  const now = await collection.read();
  const nowBlue = await collection.read(SELECTOR);
  await each((examinee) => examinee.check('watch-list', 'all', 'watch-list all', now.versions));
  await each((examinee) => examinee.check('watch-list', 'selected', `watch-list ${SELECTOR}`, nowBlue.versions));

  await killWhileWriting(server, collection);
  const readsBefore = collection.reads;
  await server.start();
  const { versions: survived } = await collection.read();
  for (const examinee of examinees) examinee.noteServer('kill', 'acknowledged writes', collection.lostIn(survived));
  await collection.delete('at-the-kill-0');
  await collection.create('after-the-kill', 'blue');
  await server.proxy.accept();
  await viewsAfter('kill', { all: 0, own: readsBefore });

  await expire(server, collection);
  const beforeAccept = await countReads();
  await server.proxy.accept();
  await each((examinee) => examinee.checkExpired(all.version));
  await viewsAfter('expire', beforeAccept);

  await churn(collection, churnPlan);
  await views('churn');
  await each((examinee) => examinee.runOwn());
  await each((examinee) => examinee.end());
  return examinees;
}

/** Changes an object now and then: a watch of kube-apiserver gets no bookmark until it has been sent something new. */
async function whileChanging(collection: Collection, changed: string, work: () => Promise<unknown>): Promise<void> {
  const done = work().then(() => true);
  while (!(await Promise.race([done, pause(300)]))) await collection.change(changed);
}

function pause(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms);
  });
}

/** Kinds of this repository that the server does not serve: what clients find is compared with what it serves. */
function missingKinds(served: ReadonlyMap<string, string>): string {
  const all = Object.values(kinds).map(({ group, version, plural }) => {
    return group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`;
  });
  return all.filter((resource) => !served.has(resource)).join(', ');
}

/** Kills the server in the middle of a stream of creates. */
async function killWhileWriting(server: ScenarioServer, collection: Collection): Promise<void> {
  let created = 0;
  const write = async (until: number): Promise<void> => {
    for (; created < until; created += 1) await collection.create(`at-the-kill-${created}`, 'blue');
  };
  await write(20);
  const stopped = write(Number.POSITIVE_INFINITY).catch(() => undefined);
  // The port of a dead server refuses. A proxy that accepts and hangs up would be another fault, after which client-go lists again.
  server.proxy.refuse();
  await server.stop('SIGKILL');
  // The create that was under way fails; whether it was stored is not known.
  await stopped;
}

/** Restarts the server so that it has forgotten what happened while nobody could reach it. */
async function expire(server: ScenarioServer, collection: Collection): Promise<void> {
  const { version } = await collection.read();
  server.proxy.refuse();
  server.proxy.cut();
  await collection.delete(name(10));
  await collection.change(name(11));
  await collection.create('created-unseen', 'blue');
  await server.stop('SIGTERM');
  await server.startForgetful();
  await collection.delete('created-in-the-cut');
  const limit = Date.now() + 60_000;
  while (!(await collection.isExpired(version))) {
    if (Date.now() > limit) throw new Error('the server still answers a watch from an old version');
    await pause(250);
  }
}
