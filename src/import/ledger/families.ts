/**
 * Books amounts that no list spells out by the family of their name: fees, payouts or taxes as any
 * source calls them, with or without a reason, a correction or a tax.
 */
import { readFileSync } from 'node:fs';
import type { Booking } from '../../contract/importable.ts';

/** A family of names: the pattern that a name matched, and where its amounts are booked. */
export type Family = { readonly pattern: string; readonly line: Booking };

/** A name without case, spaces, hyphens and other marks. */
export function plainCode(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** A name without the reason after a colon; a correction has its subject there. */
export function withoutReason(name: string): string {
  const corrected = /^\s*(?:correction|adjustment|reversal)s?\s*:(.*)$/is.exec(name)?.[1];
  if (corrected !== undefined && corrected.trim() !== '') return corrected;
  const colon = name.indexOf(':', name.search(/\S/) + 1);
  return colon < 0 ? name : name.slice(0, colon).trimEnd();
}

/** Whether a plain name is these parts, in this order, with anything between them. */
export function isOfParts(name: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length && name.endsWith(last);
}

type Pattern = Family & { readonly parts: readonly string[]; readonly closeness: number };

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
      parts: pattern.split('*'),
      closeness: pattern.replaceAll('*', '').length,
    }));
  });

/** Longer names have no family. */
const nameCharactersMax = 300;

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
 * given back, or charged for a refund, are overheads of the refund, and their tax is tax of
 * refunds.
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
  if (isGeneric.test(name) || name.length > nameCharactersMax) return undefined;
  return closest(name) ?? feeOf(name, new Set());
}

/**
 * The fee that a name corrects or taxes, found in at most as many steps as the name has words for
 * it. `tried` holds names that lead to none, because several ways lead to the same name.
 */
function feeOf(name: string, tried: Set<string>): Family | undefined {
  for (const words of [corrected, taxed, correction, tax]) {
    const rest = name.replace(words, '');
    if (rest === name || tried.has(rest) || isGeneric.test(rest)) continue;
    tried.add(rest);
    const fee = closest(rest) ?? feeOf(rest, tried);
    if (fee !== undefined && feeLines.has(fee.line)) return fee;
  }
  return undefined;
}

function closest(name: string): Family | undefined {
  let best: Pattern | undefined;
  for (const pattern of patterns)
    if (pattern.closeness > (best?.closeness ?? 0) && isOfParts(name, pattern.parts))
      best = pattern;
  return best && { pattern: best.pattern, line: best.line };
}
