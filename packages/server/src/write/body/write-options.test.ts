import { describe, expect, it } from 'vitest';
import { readWriteOptions } from './write-options.ts';

describe('the options of writes', () => {
  it.each([
    ['', { dryRun: false, fieldValidation: 'Warn' }],
    ['dryRun=All', { dryRun: true, fieldValidation: 'Warn' }],
    ['dryRun=All&dryRun=All&fieldValidation=Strict', { dryRun: true, fieldValidation: 'Strict' }],
    ['fieldValidation=', { dryRun: false, fieldValidation: 'Warn' }],
    ['fieldValidation=Ignore&fieldManager=me', { dryRun: false, fieldValidation: 'Ignore' }],
    [`fieldManager=${'m'.repeat(128)}`, { dryRun: false, fieldValidation: 'Warn' }],
  ])('%.40s', (query, expected) => expect(readWriteOptions('CreateOptions', query)).toMatchObject(expected));

  it.each([
    ['CreateOptions', 'dryRun=', 'dryRun: Unsupported value: [""]: supported values: "All"'],
    ['UpdateOptions', 'dryRun=all', 'dryRun: Unsupported value: ["all"]: supported values: "All"'],
    ['CreateOptions', 'dryRun=All&dryRun=x', 'dryRun: Unsupported value: ["All","x"]: supported values: "All"'],
    [
      'CreateOptions',
      'fieldValidation=Bogus',
      'fieldValidation: Unsupported value: "Bogus": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    ['CreateOptions', `fieldManager=${'m'.repeat(129)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    [
      'CreateOptions',
      'fieldManager=%C3%BCx%09',
      'fieldManager: Invalid value: "üx\\t": invalid character U+0009 (at position 3)',
    ],
    ['ApplyOptions', '', 'fieldManager: Required value: is required for apply patch'],
    ['ApplyOptions', 'fieldManager=', 'fieldManager: Required value: is required for apply patch'],
    ['ApplyOptions', `fieldManager=${'é'.repeat(65)}`, 'fieldManager: Too long: may not be more than 128 bytes'],
    ['PatchOptions', 'force=', 'force: Forbidden: may not be specified for non-apply patch'],
    ['PatchOptions', 'force=false', 'force: Forbidden: may not be specified for non-apply patch'],
    [
      'PatchOptions',
      'force=1&dryRun=x',
      '[force: Forbidden: may not be specified for non-apply patch, dryRun: Unsupported value: ["x"]: supported values: "All"]',
    ],
  ] as const)('%s %.40s is 422', (kind, query, errors) => {
    const shown = kind === 'ApplyOptions' ? 'PatchOptions' : kind;
    const message = `${shown}.meta.k8s.io "" is invalid: ${errors}`;
    expect(() => readWriteOptions(kind, query)).toThrow(expect.objectContaining({ httpCode: 422, message }));
  });

  it.each([
    ['', false],
    ['&force=0', false],
    ['&force=FALSE', false],
    ['&force=', true],
    ['&force=maybe', true],
    ['&force=true', true],
  ])('an apply with %j forces: %j', (query, force) => {
    expect(readWriteOptions('ApplyOptions', `fieldManager=a é${query}`)).toMatchObject({ fieldManager: 'a é', force });
  });

  it('force is no option of a create', () => {
    expect(readWriteOptions('CreateOptions', 'force=true').dryRun).toBe(false);
  });
});
