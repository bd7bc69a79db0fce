/** MutatingAdmissionWebhook: calls webhooks one by one; each sees the changes of those before it. */

import { internalError } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';
import { type KubeObject, QuickBudget } from '@listwatch/rules/internal';
import type {
  DynamicRequest,
  MutatingRun,
  MutatingStep,
  RequestHead,
  RequestObjects,
} from '../../../contract/dynamic-admission.ts';
import type { JsonPatchOperation } from '../../body/json-patch.ts';
import { fromMatched, matchedKind } from '../dynamic/equivalent-request.ts';
import { RequestVersions } from '../dynamic/request-versions.ts';
import type { ReviewResponse } from './admission-review.ts';
import { WebhookFailure } from './webhook-failure.ts';
import type { MatchingWebhooks } from './webhook-index.ts';
import { invocationOf, isSelected, type WebhookInvocation } from './webhook-invocation.ts';
import { patchedObject, readWebhookPatch } from './webhook-patch.ts';
import { askWebhook } from './webhook-question.ts';
import type { WebhookWorld } from './webhook-world.ts';

/** The step. */
export class MutatingWebhooks implements MutatingStep {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #matching: MatchingWebhooks;
  readonly #world: WebhookWorld;

  constructor(matching: MatchingWebhooks, world: WebhookWorld) {
    this.#matching = matching;
    this.#world = world;
  }

  concerns(head: RequestHead, objects?: RequestObjects): boolean {
    return this.#matching(head, objects).length > 0;
  }

  begin(): MutatingRun {
    return new WebhookRun(this.#matching, this.#world);
  }
}

/** The webhooks of one request. */
class WebhookRun implements MutatingRun {
  readonly #matching: MatchingWebhooks;
  readonly #world: WebhookWorld;
  /** Webhooks with `reinvocationPolicy: IfNeeded` that have seen the current state of the object. */
  #upToDate = new Set<string>();
  /** Webhooks to call again in the second round. */
  readonly #outdated = new Set<string>();
  #last: KubeObject | undefined;

  constructor(matching: MatchingWebhooks, world: WebhookWorld) {
    this.#matching = matching;
    this.#world = world;
  }

  async mutate(request: DynamicRequest, round: 0 | 1): Promise<KubeObject | undefined> {
    // Plugins or policies have changed it since.
    if (round === 1 && !sameJson(request.object, this.#last)) this.#changed();
    let asked = new RequestVersions(request);
    const quick = this.#world.elsewhere && new QuickBudget();
    for (const matched of this.#matching(request)) {
      const { hook } = matched;
      const selected = isSelected(this.#world, matched, asked.request);
      // A promise is not waited for without need: there may be hundreds of webhooks for other objects.
      if (selected === false || (selected !== true && !(await selected))) continue;
      const invocation = await invocationOf(this.#world, matched, asked, quick);
      if (invocation === undefined) continue;
      const key = `${hook.configuration}/${hook.name}`;
      // The second round calls no webhook for the first time.
      if (round === 1 && !this.#outdated.has(key)) continue;
      const object = await this.#ask(invocation, round);
      // Other requests had their turn.
      quick?.renew();
      if (object !== asked.request.object) {
        this.#changed();
        asked = new RequestVersions({ ...asked.request, object });
      }
      if (hook.reinvokes) this.#upToDate.add(key);
    }
    this.#last = asked.request.object;
    return this.#last;
  }

  #changed(): void {
    for (const key of this.#upToDate) this.#outdated.add(key);
    this.#upToDate = new Set();
  }

  /** The object after the webhook; the same one when it changes nothing. */
  async #ask(invocation: WebhookInvocation, round: 0 | 1): Promise<KubeObject | undefined> {
    const { hook, request } = invocation;
    const place = `round_${round}_index_${hook.index}`;
    const facts = { configuration: hook.configuration, webhook: hook.name };
    const note = (mutated: boolean): void =>
      request.annotate?.(`mutation.webhook.admission.k8s.io/${place}`, JSON.stringify({ ...facts, mutated }));
    const onIgnored = (): void => {
      request.annotate?.(`failed-open.mutation.webhook.admission.k8s.io/${place}`, hook.name);
    };
    let mutated = false;
    try {
      const change = await askWebhook(
        this.#world,
        invocation,
        (response) => this.#change(invocation, response, place),
        onIgnored,
      );
      if (change === undefined || change.object === invocation.object) return request.object;
      const object = await fromMatched(request, invocation.definition, change.object);
      mutated = true;
      return object;
    } finally {
      note(mutated);
    }
  }

  /**
   * The object after the patch; undefined without one. Throws a `WebhookFailure` for an invalid patch, else the 500.
   */
  #change(
    invocation: WebhookInvocation,
    { patch, patchType }: ReviewResponse,
    place: string,
  ): { readonly object: KubeObject } | undefined {
    const { hook, request, definition, object } = invocation;
    if (patch === '') return undefined;
    const operations = readWebhookPatch(patch);
    if (operations.length === 0) return undefined;
    if (object === undefined) {
      const what = 'attempted to modify the object, which is not supported for this operation';
      throw internalError(`admission webhook ${JSON.stringify(hook.name)} ${what}`);
    }
    if (patchType !== 'JSONPatch') {
      throw WebhookFailure.patchType(patchType);
    }
    const kind = matchedKind(request, definition);
    const patched = patchedObject(kind, this.#world.findKind, object, operations, this.#world.clock.now());
    if (request.isRecorded) notePatch(invocation, operations, place);
    return { object: patched };
  }
}

function notePatch({ hook, request }: WebhookInvocation, patch: readonly JsonPatchOperation[], place: string): void {
  const facts = { configuration: hook.configuration, webhook: hook.name, patch, patchType: 'JSONPatch' };
  request.annotate?.(`patch.webhook.admission.k8s.io/${place}`, JSON.stringify(facts));
}
