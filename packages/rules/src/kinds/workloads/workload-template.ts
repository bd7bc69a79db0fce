/** The selector and the pod template of a workload: rules and columns that workloads share. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { type JsonRecord, recordOf, recordsOf, textEntriesOf, textOf, textRecordOf } from '@listwatch/api/values';
import { column } from '../../columns/table-column.ts';
import type { ColumnDefinition } from '../../strategy/kind-definition.ts';
import { selectorCell, validateLabelSelector } from '../../validation/label-selector-rules.ts';
import { readSelector } from '../../validation/object-selector.ts';
import { validatePodTemplate } from '../pods/pod-validation.ts';

type Errors = readonly FieldError[];

/** The parts of error messages that differ between kinds. */
export interface TemplateWords {
  /** The kind in `empty selector is invalid for ...`. */
  readonly selectorOf: string;
  /** The message about a selector that cannot be parsed. */
  readonly unreadable: string;
  /** The kind in `activeDeadlineSeconds in ... is not Supported`. */
  readonly deadlineIn: string;
}

/** The rules for `spec.selector` and `spec.template` of a workload whose pods run for ever. */
export function validateTemplateAndSelector(spec: JsonRecord, words: TemplateWords): Errors {
  const { selector } = spec;
  const template = recordOf(spec['template']);
  if (selector === undefined) {
    return [
      fieldRequired('spec.selector'),
      labelMismatch(template),
      ...validateLongRunning(template, words.deadlineIn),
    ];
  }
  const { matchLabels, matchExpressions } = recordOf(selector);
  // Labels are compared as they are: compiling thousands of them would stall the server.
  const expressions = readSelector({ matchExpressions });
  const illegal = validateLabelSelector(selector, 'spec.selector');
  const empty = emptySelector(selector, words.selectorOf);
  if (expressions === undefined || illegal.length > 0) {
    return [...illegal, ...empty, fieldInvalid('spec.selector', selector, words.unreadable)];
  }
  const labels = labelsOf(template);
  const matches =
    textEntriesOf(matchLabels).every(([key, value]) => labels[key] === value) && expressions.matches(labels);
  return [...empty, ...(matches ? [] : [labelMismatch(template)]), ...validateLongRunning(template, words.deadlineIn)];
}

/** The error about a selector without terms, which would select all pods. */
export function emptySelector(selector: unknown, kind: string): Errors {
  const { matchLabels, matchExpressions } = recordOf(selector);
  const terms = Object.keys(recordOf(matchLabels)).length + recordsOf(matchExpressions).length;
  return terms > 0 ? [] : [fieldInvalid('spec.selector', selector, `empty selector is invalid for ${kind}`)];
}

/** The error about a selector that does not select the pods of the template. */
export function labelMismatch(template: JsonRecord, field = 'spec.template'): FieldError {
  const labels = recordOf(template['metadata'])['labels'] ?? null;
  return fieldInvalid(`${field}.metadata.labels`, labels, '`selector` does not match template `labels`');
}

/** The labels of the pods that a template makes. */
export function labelsOf(template: JsonRecord): Readonly<Record<string, string>> {
  return textRecordOf(recordOf(template['metadata'])['labels']);
}

/** The rules for a template whose pods always restart. */
export function validateLongRunning(template: JsonRecord, kind: string): Errors {
  return [...validatePodTemplate(template, 'spec.template'), ...runsForEver(template, kind)];
}

/** Requires the restart policy `Always` and no deadline. */
export function runsForEver(template: JsonRecord, kind: string): Errors {
  const field = 'spec.template.spec';
  const { restartPolicy, activeDeadlineSeconds } = recordOf(template['spec']);
  const deadline = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [fieldNotSupported(`${field}.restartPolicy`, textOf(restartPolicy), ['Always'])]),
    ...(activeDeadlineSeconds === undefined ? [] : [fieldForbidden(`${field}.activeDeadlineSeconds`, deadline)]),
  ];
}

/** The wide columns about the containers of a workload. */
export const CONTAINER_COLUMNS: readonly ColumnDefinition[] = [
  column('Containers', 'The names of the containers.', { priority: 1 }),
  column('Images', 'The images of the containers.', { priority: 1 }),
];

/** The wide columns of a workload that selects its pods. */
export const WORKLOAD_COLUMNS: readonly ColumnDefinition[] = [
  ...CONTAINER_COLUMNS,
  column('Selector', 'Which pods it counts.', { priority: 1 }),
];

/** The cells of {@link CONTAINER_COLUMNS} for a pod template. */
export function containerCells(template: unknown): readonly string[] {
  const containers = recordsOf(recordOf(recordOf(template)['spec'])['containers']);
  return [containers.map(({ name }) => textOf(name)).join(','), containers.map(({ image }) => textOf(image)).join(',')];
}

/** The cells of {@link WORKLOAD_COLUMNS}. */
export function workloadCells(spec: JsonRecord): readonly string[] {
  return [...containerCells(spec['template']), selectorCell(spec['selector'])];
}
