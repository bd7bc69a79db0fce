/** `cidr`, `isCIDR` and what is in a network. */
import { addRanges, type CallEstimate, fixed, scaleRange } from '../cost/cost-estimate.ts';
import { quoted } from '../parsing/go-quote.ts';
import {
  AddressProblem,
  type IpPrefix,
  isMapped,
  maskedPrefix,
  parsePrefix,
  prefixContains,
  prefixesOverlap,
  prefixText,
  sameAddress,
} from '../parsing/netip-address.ts';
import type { CallNodes, CelLibrary } from '../standard/cel-library.ts';
import { BOOL, type CelType, INT, opaqueType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelOpaque, CelResult, CelValue } from '../values/cel-value.ts';
import { type Costs, functions, method, plainOverload } from './declare.ts';
import { IP_TYPE, IpValue, toIp } from './ip-library.ts';
import { NOMINAL, type Sized, sizeOfValue, TEXT_FACTOR, textCost, textEstimate } from './library-cost.ts';

/** The type of networks. */
export const CIDR_TYPE: CelType = opaqueType('net.CIDR');

const READ: Costs = { cost: textCost(0), estimate: textEstimate('argument') };
const PREFIX_BYTES = { min: 4, max: 16 };

/** A network address with its prefix length. */
export class CidrValue implements CelOpaque, Sized {
  readonly opaqueType: CelType = CIDR_TYPE;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    this.prefix = prefix;
  }

  get costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }

  equals(other: CelValue): boolean {
    return (
      other instanceof CidrValue &&
      this.prefix.bits === other.prefix.bits &&
      sameAddress(this.prefix.address, other.prefix.address)
    );
  }
}

/** The library of networks. */
export const cidrLibrary: CelLibrary = {
  name: 'kubernetes.net.cidr',
  types: [CIDR_TYPE],
  functions: functions({
    cidr: [plainOverload('string_to_cidr', [STRING], CIDR_TYPE, toCidr, READ)],
    isCIDR: [plainOverload('is_cidr', [STRING], BOOL, (text: string) => !(toCidr(text) instanceof CelError), READ)],
    string: [plainOverload('cidr_to_string', [CIDR_TYPE], STRING, ({ prefix }: CidrValue) => prefixText(prefix))],
    containsIP: [
      method('cidr_contains_ip_string', [CIDR_TYPE, STRING], BOOL, containsIpText, {
        ...addressCosts(true),
        costsWhenResolved: true,
      }),
      method('cidr_contains_ip_ip', [CIDR_TYPE, IP_TYPE], BOOL, containsIp, addressCosts(false)),
    ],
    containsCIDR: [
      method('cidr_contains_cidr_string', [CIDR_TYPE, STRING], BOOL, containsCidrText, {
        ...networkCosts(true),
        costsWhenResolved: true,
      }),
      method('cidr_contains_cidr', [CIDR_TYPE, CIDR_TYPE], BOOL, containsCidr, networkCosts(false)),
    ],
    ip: [method('cidr_ip', [CIDR_TYPE], IP_TYPE, ({ prefix }: CidrValue) => new IpValue(prefix.address), NOMINAL)],
    masked: [
      method(
        'cidr_masked',
        [CIDR_TYPE],
        CIDR_TYPE,
        ({ prefix }: CidrValue) => new CidrValue(maskedPrefix(prefix)),
        NOMINAL,
      ),
    ],
    prefixLength: [method('cidr_prefix_length', [CIDR_TYPE], INT, ({ prefix }: CidrValue) => prefix.bits, NOMINAL)],
  }),
};

function toCidr(text: string): CelError | CidrValue {
  const prefix = parsePrefix(text);
  const before = 'network address parse error during conversion from string: ';
  if (prefix instanceof AddressProblem) return new CelError(`${before}${before}${prefix.message}`);
  if (isMapped(prefix.address)) {
    return new CelError(`${before}IPv4-mapped IPv6 address ${quoted(text)} is not allowed`);
  }
  return new CidrValue(prefix);
}

function containsIp({ prefix }: CidrValue, { address }: IpValue): CelResult {
  return prefixContains(prefix, address);
}

function containsIpText(cidr: CidrValue, text: string): CelResult {
  const ip = toIp(text);
  return ip instanceof CelError ? new CelError('no such overload') : containsIp(cidr, ip);
}

function containsCidr({ prefix }: CidrValue, { prefix: other }: CidrValue): CelResult {
  return prefixesOverlap(prefix, other) && prefix.bits <= other.bits;
}

function containsCidrText(cidr: CidrValue, text: string): CelResult {
  const other = toCidr(text);
  return other instanceof CelError ? other : containsCidr(cidr, other);
}

/** Two addresses are compared up to the end of the prefix; a text is read first. */
function addressCosts(isText: boolean): Costs {
  return {
    cost: ([cidr, other]) => Math.ceil(2 * sizeOfValue(cidr) * TEXT_FACTOR) + textPart(isText, other),
    estimate: (call) => withText(scaleRange(addRanges(PREFIX_BYTES, PREFIX_BYTES), TEXT_FACTOR), isText, call),
  };
}

/** The network is masked as well, and the lengths of the prefixes are compared. */
function networkCosts(isText: boolean): Costs {
  return {
    cost: ([cidr, other]) => {
      const size = sizeOfValue(cidr);
      return Math.ceil(2 * size * TEXT_FACTOR) + Math.ceil(size * TEXT_FACTOR) + 1 + textPart(isText, other);
    },
    estimate: (call) => {
      const compared = scaleRange(addRanges(PREFIX_BYTES, PREFIX_BYTES), TEXT_FACTOR);
      return withText(addRanges(addRanges(compared, scaleRange(PREFIX_BYTES, TEXT_FACTOR)), fixed(1)), isText, call);
    },
  };
}

function textPart(isText: boolean, text: CelResult | undefined): number {
  return isText ? Math.ceil(sizeOfValue(text) * TEXT_FACTOR) : 0;
}

function withText(
  cost: CallEstimate['cost'],
  isText: boolean,
  { args: [text], sizeOf }: CallNodes,
): CallEstimate | undefined {
  if (text === undefined) return undefined;
  return { cost: isText ? addRanges(cost, scaleRange(sizeOf(text), TEXT_FACTOR)) : cost };
}
