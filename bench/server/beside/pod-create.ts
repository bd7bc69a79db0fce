/** Creates of Pods of 4 KB, 16 at a time, in JSON and in protobuf. */

import type { Target } from '../target.ts';
import { compareServers, expect, severalAtOnce } from './contest.ts';
import { PROTOBUF, podEncoder, podOf } from './pods.ts';
import { makeNamespace } from './seeded.ts';

const NAMESPACE = 'bench-pod-create';
const PATH = `/api/v1/namespaces/${NAMESPACE}/pods`;
const TIMES = 500;
const AT_MOST = 0.4;

/** Server CPU of one create. */
export async function benchPodCreate(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await makeNamespace(target, NAMESPACE);
  const encode = await podEncoder();
  const forms = {
    JSON: { type: 'application/json', bodyOf: (pod: object) => JSON.stringify(pod) },
    protobuf: { type: PROTOBUF, bodyOf: encode },
  };
  for (const [form, { type, bodyOf }] of Object.entries(forms)) {
    const prefix = `${form.toLowerCase()}-${Date.now()}`;
    await compareServers(targets, {
      bench: `pod-create ${form}`,
      times: TIMES,
      atMost: AT_MOST,
      warmUp: 10,
      run: (connection, round) =>
        severalAtOnce(TIMES, (i) => {
          const body = bodyOf(podOf(`${prefix}-${round}-${i}`, NAMESPACE));
          return expect(
            connection,
            { method: 'POST', path: PATH, body, contentType: type, accept: type },
            { status: 201 },
          );
        }),
    });
  }
}
