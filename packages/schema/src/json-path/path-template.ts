/** JSONPath as client-go and kubectl understand it. Start here. */

import { JsonPathError } from './json-path-error.ts';
import { PathWalk } from './path-walk.ts';
import type { TemplateNode } from './template-node.ts';
import { parseTemplate } from './template-parser.ts';
import { printResults } from './template-text.ts';
import { VisitBudget } from './visit-budget.ts';

/** A longer template is refused: columns and selectors of real kinds have a few dozen characters. */
const TEMPLATE_MAX = 16 * 1024;

/** How a template is applied. */
export interface JsonPathOptions {
  /** A missing key gives no result instead of an error. Default: false. */
  readonly allowsMissing?: boolean;
  /** What it may look at, shared with other templates. Default: 100 000 values. */
  readonly budget?: VisitBudget;
}

/**
 * A template such as `{.metadata.name}` or `{range .items[*]}{.kind}{"\n"}{end}`.
 *
 * @example
 * new JsonPath('{.spec.ports[?(@.name=="http")].port}').find(service); // [[80]]
 */
export class JsonPath {
  readonly #nodes: readonly TemplateNode[];

  /** Throws a {@link JsonPathError} when the template cannot be read. */
  constructor(template: string) {
    if (template.length > TEMPLATE_MAX) {
      throw new JsonPathError(`the template is longer than ${TEMPLATE_MAX} characters`);
    }
    this.#nodes = parseTemplate(template);
  }

  /** What the parts of the template find, one list for each part. Throws a {@link JsonPathError}. */
  find(
    value: unknown,
    { allowsMissing = false, budget = new VisitBudget() }: JsonPathOptions = {},
  ): readonly (readonly unknown[])[] {
    return new PathWalk(this.#nodes, allowsMissing, budget).results(value);
  }

  /** The text of all parts. Throws a {@link JsonPathError}. */
  print(value: unknown, options: JsonPathOptions = {}): string {
    return this.find(value, options).map(printResults).join('');
  }
}
