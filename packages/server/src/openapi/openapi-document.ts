/** What all documents say of the server. */

/** The body of a patch: what it may be depends on its media type, so OpenAPI says nothing of it. */
export const PATCH_COMPONENT = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';

const SECURITY = { type: 'apiKey', name: 'authorization', in: 'header' };

/** A document of version 3. `version` is the one of Kubernetes: `1.36`. */
export function documentOfVersion3(version: string, paths: object, schemas: object): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths,
    components: {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      securitySchemes: { BearerToken: SECURITY },
    },
  };
}

/** A document of version 3 about custom kinds. */
export function customDocument(paths: object, schemas: object): object {
  const info = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
  return { openapi: '3.0.0', info, paths, components: { schemas } };
}

/** The document of version 2. */
export function documentOfVersion2(version: string, paths: object, definitions: object): object {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths,
    definitions,
    securityDefinitions: { BearerToken: SECURITY },
    security: [{ BearerToken: [] }],
  };
}
