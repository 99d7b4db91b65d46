/** Types of advertising. */

/** A type of advertising: Sponsored Products, Sponsored Brands or Sponsored Display. */
export type AdType = 'SP' | 'SB' | 'SD';

/** Every type. */
export const adTypes: readonly AdType[] = ['SP', 'SB', 'SD'];

/** The names of the types. */
export const adTypeNames: Readonly<Record<AdType, string>> = {
  SP: 'Sponsored Products',
  SB: 'Sponsored Brands',
  SD: 'Sponsored Display',
};
