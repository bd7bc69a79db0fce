/** The benches that compare servers in turns, by name. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRealPart, type KubeApiserverProcess, startKubeApiserver } from '@listwatch/conformance/parts';
import { inScratch } from '../../storage/scratch.ts';
import { type Engine, startOwnServer } from '../own-server.ts';
import type { Target } from '../target.ts';
import { benchApply } from './apply.ts';
import { JUDGE } from './contest.ts';
import { benchCustomList } from './custom-list.ts';
import { benchCustomRules } from './custom-rules.ts';
import { benchInformer } from './informer.ts';
import { benchMapCreate } from './map-create.ts';
import { benchPodCreate } from './pod-create.ts';
import { benchProtobufList } from './protobuf-list.ts';

type ServerContest = (targets: readonly Target[]) => Promise<void>;

/** Each gets all servers at once, and fills them with what it needs. */
export const CONTESTS: readonly (readonly [string, ServerContest])[] = [
  ['protobuf-list', benchProtobufList],
  ['map-create', benchMapCreate],
  ['pod-create', benchPodCreate],
  ['custom-list', benchCustomList],
  ['apply', benchApply],
  ['custom-rules', benchCustomRules],
  ['informer', benchInformer],
];

/** Who takes part besides kube-apiserver, which does when it is found. */
export interface Contestants {
  readonly targets: readonly Target[];
  /** Ours, one server for each. */
  readonly engines: readonly Engine[];
  readonly profileFolder?: string | undefined;
  /** Run our sources instead of what was built last. Default: false. */
  readonly fromSource?: boolean | undefined;
}

export function judgeTarget({ url, token, pid }: KubeApiserverProcess): Target {
  return { name: JUDGE, url, token, pid };
}

/** Starts all servers side by side, so that they can be measured in turns. */
export async function runContests(contests: readonly ServerContest[], contestants: Contestants): Promise<void> {
  if (contests.length === 0) return;
  await inScratch(async (folder) => {
    const { targets, engines, profileFolder, fromSource } = contestants;
    const all = [...targets];
    const stops: (() => Promise<void>)[] = [];
    try {
      for (const storage of engines) {
        const own = join(folder, storage);
        mkdirSync(own);
        const server = await startOwnServer({ folder: own, storage, profileFolder, fromSource });
        stops.push(() => server.stop());
        all.push(server);
      }
      if (findRealPart('kube-apiserver') !== undefined) {
        const server = await startKubeApiserver();
        stops.push(() => server.stop());
        all.push(judgeTarget(server));
      }
      for (const contest of contests) await contest(all);
    } finally {
      await Promise.all(stops.map((stop) => stop()));
    }
  });
}
