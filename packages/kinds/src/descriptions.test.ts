import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeKind } from './descriptions.ts';
import { DESCRIPTIONS } from './generated/descriptions.ts';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

describe('descriptions', () => {
  it('say what the fields of a container are for', () => {
    expect(describeKind('core/v1.Container', 'image')).toBe('Image to start, such as registry.example.com/app:1.2.');
    expect(describeKind('core/v1.Container', 'nonsense')).toBeUndefined();
  });

  it('link to the page of Kubernetes for each type', () => {
    const page = 'https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#';
    expect(describeKind('core/v1.Container')).toBe(
      `Container is one program of a pod, started from an image. More info: ${page}container-v1-core`,
    );
    expect(describeKind('rbac/v1.Role')).toBe(`See ${page}role-v1-rbac-authorization-k8s-io`);
    expect(describeKind('types.NodeName')).toBeUndefined();
  });

  it('are there for at least 300 fields, each a short sentence', () => {
    const texts = Object.values(DESCRIPTIONS).flatMap((fields) => Object.entries(fields));
    expect(texts.filter(([field]) => field !== '').length).toBeGreaterThanOrEqual(300);
    expect(texts.filter(([, text]) => text.length > 200 || !text.endsWith('.')).map(([, text]) => text)).toEqual([]);
  });

  it('are shown by an editor: each is above its field in the types, and each type has its link', () => {
    const missing: string[] = [];
    const found = (name: string, block: string, shown: RegExp | string): void => {
      if (typeof shown === 'string' ? !block.includes(shown) : !shown.test(block)) missing.push(name);
    };
    for (const [name, { '': _, ...fields }] of Object.entries(DESCRIPTIONS)) {
      const [group = '', type = ''] = name.split('.');
      // The metadata of objects and lists is written by hand, in words of its own.
      const isOurs = ['ListMeta', 'ObjectMeta', 'OwnerReference'].includes(type);
      const text = read(
        isOurs ? '../../api/src/objects/api-object.ts' : `generated/types/${group.replaceAll('/', '-')}.ts`,
      );
      const [above = '', after = ''] = text.split(`\nexport interface ${type} `);
      const block = after.slice(0, after.indexOf('\n}'));
      const link = isOurs ? '' : ` ${describeKind(name)?.split(' ').at(-1) ?? ''}`;
      if (!above.endsWith(`${link} */`)) missing.push(name);
      for (const [field, sentence] of Object.entries(fields)) {
        const declaration = `\n  readonly ${field}`;
        if (isOurs) found(`${name}.${field}`, block, new RegExp(`\\*/${declaration}\\??:`, 'u'));
        else found(`${name}.${field}`, block.replaceAll('?:', ':'), `/** ${sentence} */${declaration}:`);
      }
    }
    expect(missing).toEqual([]);
  });
});
