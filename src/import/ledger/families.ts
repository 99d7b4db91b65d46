/**
 * Books amounts whose code no list spells out by the family of its name: what a fee, payout or tax
 * is called in any source, with or without a reason, a correction or a tax on it.
 */
import { readFileSync } from 'node:fs';
import type { Booking } from '../../contract/importable.ts';

/** A family of names: the pattern that one of them matched, and where its amounts are booked. */
export type Family = { readonly pattern: string; readonly line: Booking };

/** A name without case, spaces, hyphens and other marks. */
export function plainCode(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** A name without the reason behind a colon; a correction has what it corrects there. */
export function withoutReason(name: string): string {
  const corrected = /^\s*(?:correction|adjustment|reversal)s?\s*:(.*\S.*)$/is.exec(name)?.[1];
  return corrected ?? name.replace(/(?<=\S)\s*:.*$/s, '');
}

type Pattern = Family & { readonly matches: RegExp; readonly closeness: number };

/** In `families.tsv` each family has its patterns, where `*` stands for anything. */
const patterns: readonly Pattern[] = readFileSync(new URL('families.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .flatMap((row) => {
    const [names, line] = row.split('\t') as [string, Booking];
    return names.split('|').map((pattern) => ({
      pattern,
      line,
      matches: new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'u'),
      closeness: pattern.replaceAll('*', '').length,
    }));
  });

/** Names that say nothing about an amount: its component or type says more. */
const isGeneric =
  /^(?:base|basefee|fee|fees|amazonfees|itemfees?|othertransactions?|adjustments?)?$/;
const corrected =
  /(?:fees?adjustment|corrections?|adjustments?|adj|reversals?|reversed|refunds?|credits?|rebates?)$/;
const correction = /^(?:correction|adjustment|reversal|refund|reversed)(?:of|for|to)?/;
const taxed = /(?:on)?(?:(?:i|c|s|ut)?gst|vat|jct|pst|hst|qst|tax|taxamount)$/;
const tax = /^(?:(?:i|c|s|ut)?gst|vat|jct|pst|hst|qst|tax)(?:on|for|of)/;
/** Lines of fees, whose corrections and taxes follow them. */
const feeLines: ReadonlySet<Booking> = new Set([
  'promotions',
  'advertisingSpend',
  'sellingFees',
  'shippingFees',
  'refundsAndReturnsOverheads',
  'otherExpenses',
] as const);
/** Transactions that give a buyer's money back. */
const givesBack =
  /^(?:refund|refundevent|refundretrocharge|chargeback.*|(?:atoz|a2z)guarantee.*|guaranteeclaim.*)$/;

/**
 * Finds the family of an amount by its code, else by its component, else by its type. Fees that are
 * given back or charged for a refund are its overheads, and its tax is that of refunds.
 */
export function familyOf(type: string, component: string, code: string): Family | undefined {
  for (const name of [code, component, type]) {
    const family = familyOfName(plainCode(withoutReason(name)));
    if (family === undefined) continue;
    return givesBack.test(plainCode(type)) ? { ...family, line: ofRefund(family.line) } : family;
  }
  return undefined;
}

function ofRefund(line: Booking): Booking {
  if (line === 'sales.tax') return 'refunds.tax';
  return line === 'sellingFees' || line === 'shippingFees' ? 'refundsAndReturnsOverheads' : line;
}

function familyOfName(name: string): Family | undefined {
  if (isGeneric.test(name)) return undefined;
  return closest(name) ?? feeOf(name);
}

/** The fee that a name corrects or taxes, in as many steps as the name has words for it. */
function feeOf(name: string): Family | undefined {
  for (const words of [corrected, taxed, correction, tax]) {
    const rest = name.replace(words, '');
    if (rest === name || isGeneric.test(rest)) continue;
    const fee = closest(rest) ?? feeOf(rest);
    if (fee !== undefined && feeLines.has(fee.line)) return fee;
  }
  return undefined;
}

function closest(name: string): Family | undefined {
  let best: Pattern | undefined;
  for (const pattern of patterns)
    if (pattern.closeness > (best?.closeness ?? 0) && pattern.matches.test(name)) best = pattern;
  return best && { pattern: best.pattern, line: best.line };
}
