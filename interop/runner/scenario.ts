/** The scenario of interop/README.md, for one or more programs at once. */

import { connect } from '@listwatch/client';
import { namespaces } from '@listwatch/kinds';
import { type ChurnPlan, churn } from './churn.ts';
import type { ClientProgram } from './client-program.ts';
import { Collection, NAMESPACE, SELECTOR } from './collection.ts';
import { Examinee } from './examinee.ts';
import type { InteropServer } from './interop-server.ts';
import { readLists, readResources } from './server-facts.ts';

export interface ScenarioPlan {
  readonly objects: number;
  readonly churn: ChurnPlan;
}

export const FULL: ScenarioPlan = { objects: 40, churn: { objects: 2000, seconds: 20, writers: 8 } };
export const SHORT: ScenarioPlan = { objects: 16, churn: { objects: 100, seconds: 1, writers: 4 } };

const PAGE = 7;
const name = (index: number): string => `object-${index}`;

interface ListCount {
  /** LIST requests that the server has answered. */
  readonly lists: number;
  /** Those of the runner. */
  readonly reads: number;
}

/** Takes all programs through every step. The findings are in their examinees. */
export async function runScenario(
  server: InteropServer,
  programs: readonly ClientProgram[],
  { objects, churn: churnPlan }: ScenarioPlan,
): Promise<readonly Examinee[]> {
  await using cluster = await connect({ kubeconfig: server.directKubeconfig });
  const collection = new Collection(cluster);
  await cluster.create(namespaces, { metadata: { name: NAMESPACE } });
  for (let index = 0; index < objects; index += 1) {
    await collection.create(name(index), index % 2 === 0 ? 'blue' : 'red');
  }
  const resources = await readResources(server.facts);
  const examinees = await Promise.all(programs.map((program) => Examinee.greet(program)));
  const each = (work: (examinee: Examinee) => Promise<void>): Promise<unknown> => Promise.all(examinees.map(work));
  const views = (step: 'start' | 'cut' | 'selector' | 'kill' | 'expire' | 'churn'): Promise<unknown> =>
    each((examinee) => examinee.checkViews(step, collection));
  /** Checks all views, and counts the LIST requests that programs have made since then: all but the runner's own. */
  const viewsAfter = async (step: 'cut' | 'kill' | 'expire', since: ListCount): Promise<void> => {
    await views(step);
    const relists = (await readLists(server.facts)) - since.lists - (collection.reads - since.reads);
    for (const examinee of examinees) examinee.relists[step] = relists;
  };
  const countLists = async (): Promise<ListCount> => {
    return { lists: await readLists(server.facts), reads: collection.reads };
  };

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
  await each((examinee) => examinee.checkBookmark(all.version, version));

  await each((examinee) => examinee.start(SELECTOR));
  await views('start');

  const beforeCut = await countLists();
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

  const acknowledged = await killWhileWriting(server, collection);
  const readsBefore = collection.reads;
  await server.start();
  const { versions: survived } = await collection.read();
  const lost = acknowledged.filter((key) => !survived.has(key));
  if (lost.length > 0) throw new Error(`the server lost ${lost.length} acknowledged writes, first ${lost[0]}`);
  await collection.delete('at-the-kill-0');
  await collection.create('after-the-kill', 'blue');
  await viewsAfter('kill', { lists: 0, reads: readsBefore });

  await expire(server, collection);
  const beforeAccept = await countLists();
  await server.proxy.accept();
  await each((examinee) => examinee.checkExpired(all.version));
  await viewsAfter('expire', beforeAccept);

  await churn(collection, churnPlan);
  await views('churn');
  await each((examinee) => examinee.runOwn());
  await each((examinee) => examinee.end());
  return examinees;
}

/** Kills the server in the middle of a stream of creates. The keys of those that it has acknowledged. */
async function killWhileWriting(server: InteropServer, collection: Collection): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  const write = async (until: number): Promise<void> => {
    while (acknowledged.length < until) {
      const created = `at-the-kill-${acknowledged.length}`;
      await collection.create(created, 'blue');
      acknowledged.push(`${NAMESPACE}/${created}`);
    }
  };
  await write(20);
  const stopped = write(Number.POSITIVE_INFINITY).catch(() => undefined);
  await server.stop('SIGKILL');
  // The create that was under way fails; whether it was stored is not known.
  await stopped;
  return acknowledged;
}

/** Restarts the server so that it has forgotten what happened while nobody could reach it. */
async function expire(server: InteropServer, collection: Collection): Promise<void> {
  const { version } = await collection.read();
  server.proxy.refuse();
  server.proxy.cut();
  await collection.delete(name(10));
  await collection.change(name(11));
  await collection.create('created-unseen', 'blue');
  await server.stop('SIGTERM');
  await server.start('--history', '1s');
  await collection.delete('created-in-the-cut');
  const limit = Date.now() + 60_000;
  while (!(await collection.isExpired(version))) {
    if (Date.now() > limit) throw new Error('the server with --history 1s still answers a watch from an old version');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
