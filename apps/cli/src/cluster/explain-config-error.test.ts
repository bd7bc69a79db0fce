import { expect, it } from 'vitest';
import { explainConfigError } from './explain-config-error.ts';

const none = { code: 'NO_CONFIG', message: 'connect with { kubeconfig }' } as const;
const advice = 'and this is not a pod. Pass --kubeconfig or --server, or set KUBECONFIG.';

it.each([
  [{}, '~/.kube/config does not exist or has no contexts'],
  [{ KUBECONFIG: '/nope' }, 'KUBECONFIG points to /nope, which does not exist'],
  [{ KUBECONFIG: '/nope:/nope/2' }, 'KUBECONFIG points to /nope and /nope/2, which do not exist'],
  [{ KUBECONFIG: import.meta.filename }, `KUBECONFIG points to ${import.meta.filename}, which has no contexts`],
])('without a cluster, in %j, it says where it looked and which option helps', (env, where) => {
  expect(explainConfigError(none, env)).toBe(`No cluster configured: ${where}, ${advice}`);
});

it('every other mistake in a kubeconfig has its own message', () => {
  expect(explainConfigError({ code: 'NAME_UNKNOWN', message: 'no context x' }, {})).toBe('no context x');
});
