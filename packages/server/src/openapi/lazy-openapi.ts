/** The OpenAPI documents of a server, with their code: both are loaded when somebody asks. */

import type { OpenApiDocuments, OpenApiDocumentsOptions } from './openapi-documents.ts';

/** Several times the size of the documents of all built-in kinds. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Loads the documents on demand. */
export class LazyOpenApi {
  /** The limit of the memory that documents use. */
  readonly maxBytes: number = MAX_BYTES;
  readonly #options: () => Omit<OpenApiDocumentsOptions, 'maxBytes'>;
  #documents: OpenApiDocuments | undefined;

  /** `options` is called once, when the documents are loaded. */
  constructor(options: () => Omit<OpenApiDocumentsOptions, 'maxBytes'>) {
    this.#options = options;
  }

  /** The memory that they use now. */
  get bytes(): number {
    return this.#documents?.bytes ?? 0;
  }

  /** The documents: always the same. */
  async load(): Promise<OpenApiDocuments> {
    const code = await import('./openapi-documents.ts');
    this.#documents ??= new code.OpenApiDocuments({ ...this.#options(), maxBytes: this.maxBytes });
    return this.#documents;
  }
}
