/** The log that a tab shows. At most one is followed at a time: it ends with the tab. */

import type { ApiObject } from '@listwatch/api';
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { chosenContainer, containerRun } from '../logic/log/log-containers.ts';
import { usePage } from './page.ts';
import { followPodLog, type PodLog } from './pod-log.ts';

export function usePodLog(
  { namespace, name, log }: ObjectAddress,
  pod: ApiObject,
  isGone: boolean,
): PodLog | undefined {
  const { cluster, session } = usePage();
  const container = chosenContainer(pod, log.container);
  const { uid } = pod.metadata;
  const run = useSignal(containerRun(pod, container, isGone));
  useEffect(() => {
    run.value = containerRun(pod, container, isGone);
  }, [pod, container, isGone]);
  const [shown, show] = useState<PodLog>();
  useEffect(() => {
    run.value = containerRun(pod, container, isGone);
    const { previous, tail } = log;
    const isOwnServer = session.mode === 'server';
    const next = followPodLog(cluster, { namespace, name, container, previous, tail, isOwnServer }, run);
    show(next);
    return () => {
      next.close();
      show(undefined);
    };
    // Not by the tail: more lines are read beside the stream, which goes on.
  }, [cluster, namespace, name, uid, container, log.previous]);
  return shown;
}
