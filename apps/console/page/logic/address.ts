/** The state of the page as the fragment of its address, so that a link can be shared and Back works. */

/** A resource in one version; the core group is `''`. */
export interface ResourceAddress {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** The tabs of one object. */
export const OBJECT_TABS = ['yaml', 'logs', 'tree', 'events', 'fields', 'versions', 'audit'] as const;
export type ObjectTab = (typeof OBJECT_TABS)[number];

export interface ObjectsAddress {
  readonly view: 'objects';
  readonly resource: ResourceAddress;
  /** `''`: all namespaces. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  readonly search: string;
  /** The column that rows are sorted by; `''`: by namespace and name. */
  readonly sort: string;
  readonly descending: boolean;
  /** Columns that are hidden, and columns of low priority that are shown (`+Node`). */
  readonly columns: readonly string[];
  /** The version that is shown; `''`: now. */
  readonly at: string;
}

/** What the tab of the logs shows. */
export interface LogView {
  /** `''`: the one that kubectl would take. */
  readonly container: string;
  readonly previous: boolean;
  readonly times: boolean;
  readonly wrap: boolean;
  /** How many lines before now. */
  readonly tail: number;
  /** Only lines with this text; `''`: all. */
  readonly filter: string;
}

export const LOG_TAIL = 500;
export const DEFAULT_LOG_VIEW: LogView = {
  container: '',
  previous: false,
  times: false,
  wrap: false,
  tail: LOG_TAIL,
  filter: '',
};

export interface ObjectAddress {
  readonly view: 'object';
  readonly resource: ResourceAddress;
  readonly namespace: string;
  readonly name: string;
  readonly tab: ObjectTab;
  readonly at: string;
  /** The version that `at` is compared with; `''`: none. */
  readonly from: string;
  readonly log: LogView;
}

export interface WatchAddress {
  readonly view: 'watch';
  readonly resource: ResourceAddress | undefined;
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  readonly resourceVersion: string;
  readonly form: 'metadata' | 'object' | 'table';
  readonly bookmarks: boolean;
  readonly initialEvents: boolean;
}

export type Address = ObjectAddress | ObjectsAddress | WatchAddress | { readonly view: 'overview' };

const CORE = 'core';
/** Stands for no namespace; a namespace cannot be named so. */
const NONE = '-';

/** Reads a fragment; what cannot be read is the overview. */
export function parseAddress(fragment: string): Address {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/u, '').split('?', 2);
  const [view, ...parts] = path.split('/').map(decoded);
  const values = new URLSearchParams(query);
  const text = (name: string): string => values.get(name) ?? '';
  const resource = resourceOf(parts);
  if (view === 'objects' && resource !== undefined) {
    return {
      view,
      resource,
      namespace: text('ns'),
      labels: text('labels'),
      fields: text('fields'),
      search: text('search'),
      sort: text('sort'),
      descending: values.has('desc'),
      columns: text('columns') === '' ? [] : text('columns').split(','),
      at: text('at'),
    };
  }
  const [, , , namespace = '', name = ''] = parts;
  if (view === 'object' && resource !== undefined && name !== '') {
    const tab = OBJECT_TABS.find((known) => known === text('tab')) ?? 'yaml';
    return {
      view,
      resource,
      namespace: namespace === NONE ? '' : namespace,
      name,
      tab,
      at: text('at'),
      from: text('from'),
      log: logViewOf(values),
    };
  }
  if (view === 'watch') {
    const form = text('form');
    return {
      view,
      resource,
      namespace: text('ns'),
      labels: text('labels'),
      fields: text('fields'),
      resourceVersion: text('rv'),
      form: form === 'table' || form === 'metadata' ? form : 'object',
      bookmarks: text('bookmarks') !== 'no',
      initialEvents: values.has('initial'),
    };
  }
  return { view: 'overview' };
}

/** The fragment of an address; defaults are left out. */
export function printAddress(address: Address): string {
  switch (address.view) {
    case 'overview':
      return '#/overview';
    case 'objects': {
      const { resource, namespace, labels, fields, search, sort, descending, columns, at } = address;
      const query = { ns: namespace, labels, fields, search, sort, columns: columns.join(','), at };
      return `#/objects/${resourcePath(resource)}${printQuery(query, { desc: descending })}`;
    }
    case 'object': {
      const { resource, namespace, name, tab, at, from, log } = address;
      const { container, previous, times, wrap, tail, filter } = log;
      const place = [namespace === '' ? NONE : namespace, name].map(encodeURIComponent).join('/');
      const lines = { container, tail: tail === LOG_TAIL ? '' : String(tail), filter };
      const query = { tab: tab === 'yaml' ? '' : tab, at, from, ...lines };
      return `#/object/${resourcePath(resource)}/${place}${printQuery(query, { previous, times, wrap })}`;
    }
    case 'watch': {
      const { resource, namespace, labels, fields, resourceVersion, form, bookmarks, initialEvents } = address;
      const path = resource === undefined ? '' : `/${resourcePath(resource)}`;
      const query = {
        ns: namespace,
        labels,
        fields,
        rv: resourceVersion,
        form: form === 'object' ? '' : form,
        bookmarks: bookmarks ? '' : 'no',
      };
      return `#/watch${path}${printQuery(query, { initial: initialEvents })}`;
    }
  }
}

/** All objects of a resource, in every namespace unless one is given. */
export function objectsAddress(resource: ResourceAddress, namespace = ''): ObjectsAddress {
  const { group, version, plural } = resource;
  return {
    view: 'objects',
    resource: { group, version, plural },
    namespace,
    labels: '',
    fields: '',
    search: '',
    sort: '',
    descending: false,
    columns: [],
    at: '',
  };
}

export function objectAddress(
  { group, version, plural }: ResourceAddress,
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
  rest: Partial<Pick<ObjectAddress, 'at' | 'from' | 'log' | 'tab'>> = {},
): ObjectAddress {
  return {
    view: 'object',
    resource: { group, version, plural },
    namespace,
    name,
    tab: 'yaml',
    at: '',
    from: '',
    log: DEFAULT_LOG_VIEW,
    ...rest,
  };
}

export function watchAddress(resource?: ResourceAddress): WatchAddress {
  return {
    view: 'watch',
    resource: resource && { group: resource.group, version: resource.version, plural: resource.plural },
    namespace: '',
    labels: '',
    fields: '',
    resourceVersion: '',
    form: 'object',
    bookmarks: true,
    initialEvents: false,
  };
}

export function isPods({ group, plural }: ResourceAddress): boolean {
  return group === '' && plural === 'pods';
}

export function isSameResource(a: ResourceAddress, b: ResourceAddress): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

function logViewOf(values: URLSearchParams): LogView {
  const tail = values.get('tail') ?? '';
  return {
    container: values.get('container') ?? '',
    previous: values.has('previous'),
    times: values.has('times'),
    wrap: values.has('wrap'),
    tail: /^[1-9]\d{0,5}$/u.test(tail) ? Number(tail) : LOG_TAIL,
    filter: values.get('filter') ?? '',
  };
}

function resourceOf([group, version, plural]: readonly string[]): ResourceAddress | undefined {
  if (!group || !version || !plural) return undefined;
  return { group: group === CORE ? '' : group, version, plural };
}

function resourcePath({ group, version, plural }: ResourceAddress): string {
  return [group === '' ? CORE : group, version, plural].map(encodeURIComponent).join('/');
}

function printQuery(texts: Readonly<Record<string, string>>, flags: Readonly<Record<string, boolean>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(texts)) if (value !== '') query.set(name, value);
  for (const [name, isSet] of Object.entries(flags)) if (isSet) query.set(name, '1');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** A link that somebody broke must not break the page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
