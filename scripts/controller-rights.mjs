/**
 * Notes the rights that controllers use in this process: in tests (`controller-rights-setup.ts`) and in programs that they start
 * (`controller-rights-program.mjs`).
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const REQUEST = 'listwatch:controllers:request';
const RESPONSE = 'listwatch:controllers:response';
/** Default roles are for the cluster or for one of these; other namespaces are all the same. */
const NAMESPACES_WITH_ROLES = new Set(['default', 'kube-public', 'kube-system']);
const VERBS = { DELETE: 'delete', PATCH: 'patch', POST: 'create', PUT: 'update' };

/** Starts to note; `rights` gets each once, as JSON. Returns the function that stops. */
export function noteRights(rights) {
  const note = (user, right) => rights.add(JSON.stringify({ user, ...right }));
  const asked = ({ user, method, path }) => note(user, rightOf(method, new URL(path, 'http://x')));
  const answered = ({ user, method, path, status }) => {
    // A PUT or an apply that made the object.
    if (status !== 201 || method === 'POST') return;
    note(user, { ...rightOf(method, new URL(path, 'http://x')), verb: 'create', name: '' });
  };
  subscribe(REQUEST, asked);
  subscribe(RESPONSE, answered);
  return () => {
    unsubscribe(REQUEST, asked);
    unsubscribe(RESPONSE, answered);
  };
}

function rightOf(method, { pathname, searchParams }) {
  const [, root = '', ...parts] = pathname.split('/').map(decodeURIComponent);
  const isCore = root === 'api';
  if ((!isCore && root !== 'apis') || parts.length < (isCore ? 2 : 3))
    return { verb: method.toLowerCase(), path: pathname };
  const group = isCore ? '' : parts[0];
  const rest = parts.slice(isCore ? 1 : 2);
  const isBelow = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'finalize' && rest[2] !== 'status';
  const [resource, name = '', subresource] = isBelow ? rest.slice(2) : rest;
  const verb =
    name === '' && method === 'DELETE' ? 'deletecollection' : (VERBS[method] ?? readVerb(name, searchParams));
  const namespace = isBelow ? rest[1] : '';
  return {
    verb,
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace: namespace === '' || NAMESPACES_WITH_ROLES.has(namespace) ? namespace : 'other',
    // The only objects that default roles of controllers name.
    name: resource === 'leases' ? name : '',
  };
}

function readVerb(name, searchParams) {
  if (name !== '') return 'get';
  return ['1', 'true'].includes(searchParams.get('watch')) ? 'watch' : 'list';
}
