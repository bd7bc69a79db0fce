import type { ObjectOf } from '@listwatch/api';
import { defineKind } from '@listwatch/kinds/author';
import { conditions } from '@listwatch/kinds/zod';
import { z } from 'zod';

/** One schema: the type, the resource for clients, and the CRD for the server. */
export const website = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  schema: z.object({
    spec: z.object({
      image: z.string().min(1).describe('The image to run.'),
      replicas: z.int().min(0).max(100).default(1).describe('How many pods run it.'),
    }),
    status: z.object({ replicas: z.int().optional(), conditions: conditions().optional() }).optional(),
  }),
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
});

export type Website = ObjectOf<typeof website.resource>;
