import { domainToASCII } from 'node:url';
import { addressText, isInternal, parseAddress } from '../text/addresses.ts';
import { groupOf, isSecret } from './kinds.ts';

/** One spelling of equal values, to compare and to derive codes from. */
export function canonicalOf(kind: string, plain: string): string {
  switch (groupOf(kind)) {
    case 'address': {
      const address = parseAddress(plain);
      return address ? addressText(address) : plain.toLowerCase();
    }
    case 'host':
      return hostText(plain);
    case 'mail':
      return (
        plain.slice(0, plain.lastIndexOf('@') + 1).toLowerCase() + hostText(plain.slice(plain.lastIndexOf('@') + 1))
      );
    case 'mac':
      return plain.toLowerCase().replace(/[^0-9a-f]/g, '');
    case 'card':
    case 'us_ssn':
      return plain.replace(/\D/g, '');
    case 'phone':
      return plain.replace(/[^\d+]/g, '');
    case 'iban':
      return plain.replace(/[ -]/g, '').toUpperCase();
    case 'secret':
      return plain;
    default:
      return plain.toLowerCase();
  }
}

function hostText(name: string): string {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return /[^\u0020-\u007e]/.test(lower) ? domainToASCII(lower) || lower : lower;
}

const IDS: ReadonlySet<string> = new Set(['phone', 'card', 'iban', 'us_ssn']);

/** The word before a code, which tells the model no more than the kind, and of addresses the side of the network. */
export function labelOf(kind: string, canonical: string): string {
  if (isSecret(kind)) return 'sec';
  if (IDS.has(kind)) return 'id';
  switch (groupOf(kind)) {
    case 'address': {
      const address = parseAddress(canonical);
      return address && isInternal(address) ? 'ipint' : 'ipext';
    }
    case 'user':
      return canonical.endsWith('$') ? 'host' : 'user';
    case 'field':
      return 'name';
    default:
      return groupOf(kind);
  }
}
