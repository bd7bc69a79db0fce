/** Says of every FlowSchema whether its priority level exists: the condition `Dangling`. */

import { type ApiObject, isNotFound, type Resource, resource } from '@listwatch/api';
import type { BuiltInController, ControllerSurroundings } from './built-in-controller.ts';
import { runController } from './run-controller.ts';

const NAME = 'flow-schema-controller';
/** The name under which kube-apiserver owns the condition. */
const MANAGER = 'api-priority-and-fairness-config-consumer-v1';
const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', namespaced: false } as const;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

interface FlowSchema extends ApiObject {
  readonly spec?: { readonly priorityLevelConfiguration?: { readonly name?: string } };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const flowSchemas: Resource<FlowSchema> = resource({ ...GROUP, plural: 'flowschemas', kind: 'FlowSchema' });
const priorityLevels: Resource = resource({
  ...GROUP,
  plural: 'prioritylevelconfigurations',
  kind: 'PriorityLevelConfiguration',
});

/** In Kubernetes this is a part of kube-apiserver. A level that comes or goes is looked for by all schemas that name it. */
export function flowSchemaController(): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    run: (surroundings) => {
      /** The level of each schema that was looked at. */
      const references = new Map<string, string>();
      return runController<FlowSchema>(surroundings, {
        name: NAME,
        for: flowSchemas,
        watches: [
          {
            resource: priorityLevels,
            predicate: ({ type }) => type !== 'update',
            map: ({ metadata }: ApiObject) =>
              [...references].filter(([, level]) => level === metadata.name).map(([name]) => ({ name })),
          },
        ],
        reconcile: async ({ key: { name }, object }) => {
          if (object === undefined) {
            references.delete(name);
            return;
          }
          references.set(name, levelOf(object));
          if (object.metadata.deletionTimestamp === undefined) await settle(surroundings, object);
        },
      });
    },
  };
}

async function settle({ cluster, signal }: ControllerSurroundings, schema: FlowSchema): Promise<void> {
  const level = levelOf(schema);
  const wanted = dangling(level, await exists(cluster.get(priorityLevels, { name: level }, { signal })));
  const current = schema.status?.conditions?.find(({ type }) => type === wanted.type);
  if (current?.status === wanted.status && current.message === wanted.message) return;
  const isChanged = current?.status !== wanted.status;
  const lastTransitionTime = (isChanged ? undefined : current.lastTransitionTime) ?? timestamp(cluster.clock.now());
  const { name, uid = '' } = schema.metadata;
  // With the uid it cannot meet another schema that got the name meanwhile.
  const applied = { metadata: { name, uid }, status: { conditions: [{ ...wanted, lastTransitionTime }] } };
  const options = { fieldManager: MANAGER, force: true, subresource: 'status', signal };
  await exists(cluster.apply(flowSchemas, applied, options));
}

/** `false` when the answer is 404. */
async function exists(answer: Promise<ApiObject>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
}

function levelOf({ spec }: FlowSchema): string {
  return spec?.priorityLevelConfiguration?.name ?? '';
}

function dangling(level: string, isThere: boolean): Condition {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return isThere
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${reference} and it exists` }
    : { type: 'Dangling', status: 'True', reason: 'NotFound', message: `${reference} but there is no such object` };
}

/** A time as Kubernetes writes it: in seconds. */
function timestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/u, 'Z');
}
