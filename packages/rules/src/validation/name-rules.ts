/** The rules for names of objects. Each kind uses one of them. */

import { checkDnsLabel, checkDnsSubdomain, checkPathSegment, generatedNameSample } from '@listwatch/api';

/** Checks a name, or a `generateName` (`isPrefix`), to which a random suffix is added. Returns complaints. */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

/** A DNS-1123 subdomain: most kinds. */
export const subdomainName: NameRule = (name, isPrefix) => checkDnsSubdomain(sample(name, isPrefix));

/** The same, but checks only the final name, not the `generateName`: for kinds whose name a marker validates. */
export const finalSubdomainName: NameRule = (name, isPrefix) => (isPrefix ? [] : subdomainName(name, false));

/** A DNS-1123 label: namespaces and services. Services may begin with a digit since Kubernetes 1.36. */
export const labelName: NameRule = (name, isPrefix) => checkDnsLabel(sample(name, isPrefix));

/** Any valid path segment: events of the core group. */
export const pathSegmentName: NameRule = (name) => checkPathSegment(name);

function sample(name: string, isPrefix: boolean): string {
  return isPrefix ? generatedNameSample(name) : name;
}
