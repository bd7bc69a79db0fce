/**
 * Reports pods that break a rule, without an admission webhook: nothing is refused, and what broke the rule before the checker was
 * installed is found, too. Each finding is a Warning event of the pod, which `kubectl describe pod` shows.
 *
 *     npm run -s example examples/policy-checker.ts
 */

import { connect } from '@listwatch/client';
import { type Pod, pods } from '@listwatch/kinds';
import { controller } from '@listwatch/runtime';

/** The rules: a text for each container that breaks one. */
function findings({ spec }: Pod): string[] {
  return spec.containers.flatMap(({ name, image = '', securityContext }) => [
    ...(hasVersion(image) ? [] : [`container ${name}: the image ${image} has no fixed version`]),
    ...(securityContext?.privileged === true ? [`container ${name} is privileged`] : []),
  ]);
}

function hasVersion(image: string): boolean {
  const [, tag = ''] = /^[^@]*?(?::([^/:@]+))?(?:@.+)?$/u.exec(image) ?? [];
  return image.includes('@') || (tag !== '' && tag !== 'latest');
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

await using cluster = await connect();
await controller(cluster, {
  name: 'policy-checker',
  for: pods,
  concurrency: 4,
  reconcile: ({ object, key }, { recorder }) => {
    if (object === undefined) return;
    const broken = findings(object);
    console.log(`${key.toString()}: ${broken.length === 0 ? 'ok' : broken.join('; ')}`);
    for (const note of broken) recorder.warning('PolicyViolation', note);
  },
}).run({ signal: stop.signal });
