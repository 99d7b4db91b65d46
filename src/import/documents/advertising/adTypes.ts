/** Types of advertising. */

/** The names of the types. */
export const adTypeNames = {
  SP: 'Sponsored Products',
  SB: 'Sponsored Brands',
  SD: 'Sponsored Display',
  ST: 'Sponsored TV',
  DSP: 'Amazon DSP',
  GOOGLE: 'Google Ads',
  META: 'Meta Ads',
} as const;

/** A type of advertising: a sponsored one, one of the demand-side platform, or another platform's. */
export type AdType = keyof typeof adTypeNames;

/** The types of the primary marketplace that its advertising API reports by campaign. */
export const sponsoredTypes = ['SP', 'SB', 'SD', 'ST'] as const satisfies readonly AdType[];

/** Types by the beginnings of their names, in lower case, without spaces and underscores. */
const beginnings: readonly (readonly [beginning: RegExp, type: AdType])[] = [
  [/^(?:sponsoredproduct|sp(?:$|\d))/, 'SP'],
  [/^(?:sponsoredbrand|headlinesearch|sb(?:$|\d|v$))/, 'SB'],
  [/^(?:sponsoreddisplay|sd(?:$|\d))/, 'SD'],
  [/^(?:sponsoredt(?:v|elevision)|st(?:$|\d))/, 'ST'],
  [/^(?:amazon)?(?:dsp|demandside)/, 'DSP'],
  [/^google/, 'GOOGLE'],
  [/^meta/, 'META'],
];

/**
 * The type of a name: "SPONSORED_PRODUCTS", "sponsoredBrands", "Sponsored Brands video", "SB2",
 * "Sponsored TV", "DSP". Undefined for anything else.
 */
export function adTypeNamed(name: unknown): AdType | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  return beginnings.find(([beginning]) => beginning.test(plain))?.[1];
}
