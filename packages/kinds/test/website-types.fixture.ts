// Made by `listwatch types` from websites.example.com. Do not edit.

import { type ApiObject, resource } from '@listwatch/api';

export interface Website extends ApiObject {
  readonly spec: WebsiteSpec;
  readonly status?: WebsiteStatus;
}

export interface WebsiteSpec {
  readonly host: string;
  /** Default: `1`. */
  readonly replicas: number;
  /** Default: `"fast"`. */
  readonly mode: 'fast' | 'slow';
  readonly note?: string;
  readonly paths?: readonly {
    readonly path: string;
    /** Default: `true`. */
    readonly cached: boolean;
  }[];
  readonly tls?: {
    readonly secret: string;
    /** Default: `90`. */
    readonly days: number;
  };
}

export interface WebsiteStatus {
  readonly ready?: boolean;
  /** Items differ in type. */
  readonly conditions?: readonly {
    /**
     * At most 316 characters.
     * Matches `^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`.
     */
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    /** Format: date-time. */
    readonly lastTransitionTime: string;
    /**
     * At least 1 character.
     * At most 1024 characters.
     * Matches `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`.
     */
    readonly reason: string;
    /** At most 32768 characters. */
    readonly message: string;
    /** At least 0. */
    readonly observedGeneration?: number;
  }[];
}

/** A Website to be created: what has a default may be absent. */
export interface NewWebsite {
  readonly metadata: Partial<
    Pick<
      ApiObject['metadata'],
      'annotations' | 'finalizers' | 'generateName' | 'labels' | 'name' | 'namespace' | 'ownerReferences'
    >
  >;
  readonly spec: NewWebsiteSpec;
}

export interface NewWebsiteSpec {
  readonly host: string;
  /** Default: `1`. */
  readonly replicas?: number;
  /** Default: `"fast"`. */
  readonly mode?: 'fast' | 'slow';
  readonly note?: string;
  readonly paths?: readonly {
    readonly path: string;
    /** Default: `true`. */
    readonly cached?: boolean;
  }[];
  readonly tls?: {
    readonly secret: string;
    /** Default: `90`. */
    readonly days?: number;
  };
}

/** The object as `cluster.create` takes it: typed as if the defaults were there, which the server fills in. */
export function newWebsite(object: NewWebsite): Omit<Website, 'metadata' | 'status'> & Pick<NewWebsite, 'metadata'>;
export function newWebsite(object: object): object {
  return { apiVersion: 'example.com/v1', kind: 'Website', ...object };
}

/** `websites` of example.com/v1. */
export const websites = resource<Website>({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'Website',
  namespaced: true,
});
