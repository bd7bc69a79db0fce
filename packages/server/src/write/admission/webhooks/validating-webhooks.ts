/** ValidatingAdmissionWebhook: calls all matching webhooks in parallel; one refusal is enough. */

import { setMaxListeners } from 'node:events';
import { QuickBudget } from '@listwatch/rules/internal';
import type {
  DynamicRequest,
  RequestHead,
  RequestObjects,
  ValidatingStep,
} from '../../../contract/dynamic-admission.ts';
import { RequestVersions } from '../dynamic/request-versions.ts';
import type { MatchingWebhooks } from './webhook-index.ts';
import { invocationOf, isSelected, type WebhookInvocation } from './webhook-invocation.ts';
import { askWebhook } from './webhook-question.ts';
import type { WebhookWorld } from './webhook-world.ts';

/** The step. */
export class ValidatingWebhooks implements ValidatingStep {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #matching: MatchingWebhooks;
  readonly #world: WebhookWorld;

  constructor(matching: MatchingWebhooks, world: WebhookWorld) {
    this.#matching = matching;
    this.#world = world;
  }

  concerns(head: RequestHead, objects?: RequestObjects): boolean {
    return this.#matching(head, objects).length > 0;
  }

  /** Waits for all of them: none is asked about a request that has its answer. Several refusals are not merged. */
  async validate(request: DynamicRequest): Promise<void> {
    const invocations: WebhookInvocation[] = [];
    const quick = this.#world.elsewhere && new QuickBudget();
    const versions = new RequestVersions(request);
    for (const matched of this.#matching(request)) {
      const selected = isSelected(this.#world, matched, request);
      if (selected === false || (selected !== true && !(await selected))) continue;
      const invocation = await invocationOf(this.#world, matched, versions, quick);
      if (invocation !== undefined) invocations.push(invocation);
    }
    if (invocations.length === 0) return;
    const signal = request.signal();
    signal.throwIfAborted();
    // Each call adds a listener: avoid the leak warning of Node.
    setMaxListeners(0, signal);
    const ended = await Promise.allSettled(invocations.map((invocation, index) => this.#ask(invocation, index)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async #ask(invocation: WebhookInvocation, index: number): Promise<void> {
    const { hook, request } = invocation;
    await askWebhook(
      this.#world,
      invocation,
      () => undefined,
      () => request.annotate?.(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, hook.name),
    );
  }
}
