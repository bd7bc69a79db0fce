/** The selectors of an access review, as far as they can be understood. */

import { parseFieldSelector, parseLabelSelector } from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { AccessAttributes, SelectorRequirement } from '../../contract/authorization.ts';
import { fieldRequirements, labelRequirements, parsedRequirements } from '../../contract/selector-requirements.ts';

/** The requirements that can be used. */
export function reviewSelectors(resource: JsonRecord): Pick<AccessAttributes, 'fieldSelector' | 'labelSelector'> {
  const fieldSelector = requirementsOf(
    recordOf(resource['fieldSelector']),
    (text) => fieldRequirements(parseFieldSelector(text)),
    isFieldRequirement,
  );
  const labelSelector = requirementsOf(
    recordOf(resource['labelSelector']),
    (text) => labelRequirements(parseLabelSelector(text)),
    isLabelRequirement,
  );
  return {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

const OPERATORS: readonly SelectorRequirement['operator'][] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function requirementsOf(
  selector: JsonRecord,
  parse: (text: string) => readonly SelectorRequirement[],
  isUsable: (requirement: JsonRecord) => boolean,
): readonly SelectorRequirement[] | undefined {
  const raw = textOf(selector['rawSelector']);
  if (raw !== '') return parsedRequirements(raw, parse);
  const usable = recordsOf(selector['requirements'])
    .filter(isUsable)
    .flatMap((requirement) => {
      const operator = OPERATORS.find((one) => one === requirement['operator']);
      const values = listOf(requirement['values']).map(textOf);
      return operator === undefined ? [] : [{ key: textOf(requirement['key']), operator, values }];
    });
  return usable.length === 0 ? undefined : usable;
}

/** The messages about unusable parts of a selector; the review is answered with the rest. */
export function selectorProblems(spec: JsonRecord): readonly string[] {
  const resource = recordOf(spec['resourceAttributes']);
  return [
    ...problem('fieldSelector', resource, parseFieldSelector, isFieldRequirement),
    ...problem('labelSelector', resource, parseLabelSelector, isLabelRequirement),
  ];
}

function problem(
  name: string,
  resource: JsonRecord,
  parse: (text: string) => unknown,
  isUsable: (requirement: JsonRecord) => boolean,
): readonly string[] {
  const selector = recordOf(resource[name]);
  const raw = textOf(selector['rawSelector']);
  const requirements = recordsOf(selector['requirements']);
  const usable = requirements.filter(isUsable).length;
  if (raw === '' ? usable === requirements.length : canParse(parse, raw)) return [];
  const partially = usable > 0 ? 'partially ' : '';
  return [`spec.resourceAttributes.${name} ${partially}ignored due to parse error`];
}

/** A field has one value, and is always there. */
function isFieldRequirement({ operator, values }: JsonRecord): boolean {
  return (operator === 'In' || operator === 'NotIn') && listOf(values).length === 1;
}

function isLabelRequirement({ operator }: JsonRecord): boolean {
  return ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(textOf(operator));
}

function canParse(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
