/** The warnings about a definition. */

import { quote } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { isKnownFormat } from '../formats/string-formats.ts';
import { allSchemas } from '../schema-walk.ts';
import { type DefinitionView, definitionView, textAt, versionSchema } from './definition-view.ts';

/** The warnings of a write: formats that are not known, and that the stored definition does not have. */
export function definitionWarnings(definition: JsonRecord, old?: JsonRecord): readonly string[] {
  const known = new Set(old === undefined ? [] : unknownFormats(definitionView(old)));
  return unknownFormats(definitionView(definition))
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quote(format)}`);
}

/** The formats of each schema; a schema that all versions share counts once. */
function unknownFormats(view: DefinitionView): readonly string[] {
  const schemas = new Set(
    (view.common.schema === undefined ? view.versions : view.versions.slice(0, 1)).map((version) =>
      versionSchema(view, version),
    ),
  );
  const found: string[] = [];
  for (const schema of schemas) {
    if (schema === undefined) continue;
    for (const one of allSchemas(schema)) {
      const format = textAt(one, 'format');
      if (format !== '' && !isKnownFormat(format, textAt(one, 'type'))) found.push(format);
    }
  }
  return found;
}
