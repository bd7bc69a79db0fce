/** One fault for each step of the scenario, and what the scenario must say of it. */

import type { AnswerBody, Fault, FaultyEvent, FoundResource } from './faulty-proxy.fixture.ts';
import type { Step } from './result.ts';

export interface PlantedFault {
  readonly what: string;
  readonly fault: Fault;
  /** The part of the step that must fail, and what the finding must say. */
  readonly step: Step;
  readonly part: string;
  readonly text: string;
}

const isList = (url: URL): boolean => url.pathname.endsWith('/configmaps') && !url.searchParams.has('watch');
const isSelected = (url: URL): boolean => url.searchParams.has('labelSelector');
const withoutNodes = (resources: readonly FoundResource[] = []): FoundResource[] =>
  resources.filter(({ name, resource }) => name !== 'nodes' && resource !== 'nodes');

/** Deletes nodes from both forms of discovery. */
function hideNodes(_url: URL, body: AnswerBody): void {
  if (body.kind === 'APIResourceList') body.resources = withoutNodes(body.resources);
  if (body.kind !== 'APIGroupDiscoveryList') return;
  const versions = body.items?.flatMap((group) => group.versions ?? []) ?? [];
  for (const version of versions) version.resources = withoutNodes(version.resources);
}

/** Takes the first item off each page after the first one. */
function loseItem(url: URL, body: AnswerBody): void {
  if (isList(url) && url.searchParams.has('continue')) body.items?.shift();
}

/** Only the first list with a selector: those of views come later. */
function firstSelected(spoil: (url: URL) => void): Fault['ask'] {
  let isFirst = true;
  return (url) => {
    if (!isFirst || !isList(url) || !isSelected(url)) return;
    isFirst = false;
    spoil(url);
  };
}

function askForNewest(url: URL): void {
  if (url.searchParams.get('resourceVersionMatch') !== 'Exact') return;
  url.searchParams.delete('resourceVersionMatch');
  url.searchParams.delete('resourceVersion');
}

/** Holds an event back until another object has one in the next step: for this step it is lost. */
function lose(name: string, type: string, until: string, inScope: (url: URL) => boolean): Fault['replace'] {
  let held: FaultyEvent[] = [];
  return (url, event) => {
    if (!inScope(url)) return [event];
    if (event.object.metadata.name === name && event.type === type) {
      held.push(event);
      return [];
    }
    if (event.object.metadata.name !== until) return [event];
    const all = [...held, event];
    held = [];
    return all;
  };
}

/** Faults of single requests, for one program. */
export const requestFaults = (): readonly PlantedFault[] => [
  {
    what: 'discovery without a kind',
    fault: { spoil: hideNodes },
    step: 'discover',
    part: '',
    text: '1 missing (v1/nodes)',
  },
  {
    what: 'a page without one of its items',
    fault: { spoil: loseItem },
    step: 'list',
    part: 'paged',
    text: 'missing (interop/',
  },
  {
    what: 'a list that ignores its selector',
    fault: { ask: firstSelected((url) => url.searchParams.delete('labelSelector')) },
    step: 'list',
    part: 'selected',
    text: 'should be gone (interop/',
  },
  {
    what: 'a newer list in place of an exact one',
    fault: { ask: askForNewest },
    step: 'list',
    part: 'exact',
    text: '1 missing (interop/object-1); 1 of another version (interop/object-0)',
  },
  {
    what: 'no bookmark',
    fault: { replace: (_url, event) => (event.type === 'BOOKMARK' && !isMarker(event) ? [] : [event]) },
    step: 'bookmark',
    part: '',
    text: 'no bookmark',
  },
  {
    what: 'a watch-list without its end marker',
    fault: { replace: (url, event) => (isMarker(event) && !isSelected(url) ? 'end' : [event]) },
    step: 'watch-list',
    part: 'all',
    text: 'end marker',
  },
  {
    what: 'a watch-list without one of its objects',
    fault: {
      replace: (url, event) => (isInitial(url) && isSelected(url) && isNamed(event, 'object-8') ? [] : [event]),
    },
    step: 'watch-list',
    part: 'selected',
    text: '1 missing (interop/object-8)',
  },
  {
    what: 'an end in place of a 410',
    // Only for the command: a view would ask again at once, and again.
    fault: {
      replace: (url, event) => (event.type === 'ERROR' && url.searchParams.has('timeoutSeconds') ? 'end' : [event]),
    },
    step: 'expire',
    part: '410',
    text: 'no 410',
  },
];

const isAll = (url: URL): boolean => !isSelected(url);

/** Faults of the watches behind a view called `informer`. Each of them is over before the next step looks. */
export const watchFaults = (): readonly PlantedFault[] => [
  {
    what: 'one event lost after the cut',
    fault: { replace: lose('object-2', 'MODIFIED', 'object-5', isAll) },
    step: 'cut',
    part: 'informer all',
    text: 'of another version (interop/object-2',
  },
  {
    what: 'no DELETED for an object that stops to match',
    fault: { replace: lose('object-6', 'DELETED', 'at-the-kill-1', isSelected) },
    step: 'selector',
    part: 'informer selected',
    text: 'should be gone (interop/object-6)',
  },
  {
    what: 'a wrong version after the kill',
    fault: { replace: (url, event) => [isAll(url) && isNamed(event, 'after-the-kill') ? older(event) : event] },
    step: 'kill',
    part: 'informer all',
    text: 'of another version (interop/after-the-kill)',
  },
  {
    what: 'silence in place of a 410',
    fault: { replace: (url, event) => (event.type === 'ERROR' && isSelected(url) ? [] : [event]) },
    step: 'expire',
    part: 'informer selected',
    text: 'interop/created-unseen',
  },
];

function isMarker({ type, object }: FaultyEvent): boolean {
  return type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
}

function isInitial(url: URL): boolean {
  return url.searchParams.get('sendInitialEvents') === 'true';
}

function isNamed({ object }: FaultyEvent, name: string): boolean {
  return object.metadata.name === name;
}

function older(event: FaultyEvent): FaultyEvent {
  const { metadata } = event.object;
  const resourceVersion = String(BigInt(metadata.resourceVersion) - 1n);
  return { ...event, object: { ...event.object, metadata: { ...metadata, resourceVersion } } };
}
