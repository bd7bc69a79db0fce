/** The kind Website: its schema, its TypeScript types, its resource and its CRD. */

import type { ObjectOf } from '@listwatch/api';
import { defineKind } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { z } from 'zod';

const host = z
  .string()
  .regex(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/u)
  .max(253)
  .describe('The DNS name of the website.')
  // The DNS record of an old host would stay: nobody would know it any more.
  .meta({ 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'the host cannot be changed' }] });

export const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  shortNames: ['web'],
  schema: z.object({
    spec: z.object({
      host,
      image: z.string().min(1).describe('The image that serves the pages on port 80.'),
      replicas: z.int().min(0).max(100).default(1).describe('How many pods serve the pages.'),
    }),
    status: z
      .object({
        replicas: z.int().optional(),
        selector: z.string().optional(),
        conditions: conditions().optional(),
      })
      .optional(),
  }),
  columns: [
    { name: 'Host', type: 'string', jsonPath: '.spec.host' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
});

/** A Website as it is read: with its defaults. */
export type Website = ObjectOf<typeof website.resource>;
