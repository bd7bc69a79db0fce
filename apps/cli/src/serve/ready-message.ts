/** What a server says when it is ready: where it is, and what to try next. */

import { isAbsolute, relative } from 'node:path';
import { type Paint, printable } from '@listwatch/api/internal';
import { optionDurationText } from '@listwatch/api/values';
import { shellWord } from '../shell-word.ts';
import type { ServeSettings } from './serve-options.ts';

/** Where the server is, as seen from the folder that it was started in. */
export interface Readiness {
  readonly url: string;
  readonly kubeconfig: string;
  readonly folder: string;
}

/** The command to try, for a shell. */
export function nextCommand({ kubeconfig, folder }: Omit<Readiness, 'url'>): string {
  return `KUBECONFIG=${shellWord(shortest(kubeconfig, folder))} kubectl get namespaces`;
}

/** One line with the address, the kubeconfig and the next command. */
export function readyLine(readiness: Readiness, paint: Paint = (_style, text) => text): string {
  return `Ready at ${paint('bold', readiness.url)}. Try: ${paint('cyan', printable(nextCommand(readiness)))}`;
}

/** The link to the console, at the end of a line, so that a terminal takes no other character for a part of it. */
export function consoleLine(link: string, paint: Paint = (_style, text) => text): string {
  return `Console, by a link that works once, for 10 minutes: ${paint('cyan', link)}`;
}

/** What stands above that line on a terminal. */
export function banner(version: string, settings: ServeSettings, paint: Paint): string {
  const { storage, history } = settings;
  const place = {
    lmdb: `lmdb in ${settings.data}`,
    memory: 'memory',
    etcd: `etcd at ${settings.etcdServers.join(', ')}`,
  };
  const kept = history === undefined ? '' : `, history ${optionDurationText(history)}`;
  return `${paint('bold', 'listwatch')} ${version} ${paint('dim', printable(`${place[storage]}${kept}`))}`;
}

/** Relative to where we are, unless that leads out of it. */
function shortest(path: string, folder: string): string {
  const inside = relative(folder, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}
