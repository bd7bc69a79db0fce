/** How the names of objects are checked, by the rule that their kind has. */

import { checkDnsLabel, checkDnsSubdomain, checkPathSegment, generatedNameSample } from '@listwatch/api';

/** Checks a name, or (`isPrefix`) a `generateName` that a random ending will follow. Lists complaints. */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

/** A DNS-1123 subdomain: most kinds. */
export const subdomainName: NameRule = (name, isPrefix) => checkDnsSubdomain(sample(name, isPrefix));

/** The same, but a `generateName` is not checked, only the name that comes of it: kinds whose names a marker checks. */
export const finalSubdomainName: NameRule = (name, isPrefix) => (isPrefix ? [] : subdomainName(name, false));

/** A DNS-1123 label: namespaces and services. Services may begin with a digit since Kubernetes 1.36. */
export const labelName: NameRule = (name, isPrefix) => checkDnsLabel(sample(name, isPrefix));

/** Anything that can stand in a path: events of the core group. */
export const pathSegmentName: NameRule = (name) => checkPathSegment(name);

function sample(name: string, isPrefix: boolean): string {
  return isPrefix ? generatedNameSample(name) : name;
}
