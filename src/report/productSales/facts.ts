/** The parts of questions about the sales of products; each reads the facts of one window. */

import type { Channel } from '../../access/channels.ts';
import { bodyFile, type Places } from '../../engine/question.ts';
import { productOwners } from '../productOwners.ts';

/** The kinds of channels, which have different facts. */
export type Kind = Channel['kind'];

const file = (name: string) => bodyFile(import.meta.url, name);
const shared = { ...productOwners, placed: file('placed.sql'), sales: file('sales.sql') };

/** The parts that read a window. */
export const factPlaces = {
  seller: {
    ...shared,
    sold: file('sellerSold.sql'),
    advertised: file('sellerAdvertised.sql'),
  },
  vendor: {
    ...shared,
    sold: file('vendorSold.sql'),
    advertised: file('vendorAdvertised.sql'),
  },
} satisfies Record<Kind, Places>;

/** The parts that read the comparison period, within a question about the period. */
export function comparisonPlaces(kind: Kind): Places {
  const places = factPlaces[kind];
  return {
    ...places,
    sold: ofComparison(places.sold),
    advertised: ofComparison(places.advertised),
  };
}

/** The parameters of a window; in the comparison period they have `prior` before their names. */
const windowParameter = /\{(from|to|first|last)(Utc)?:/g;

function ofComparison(part: string): string {
  return part.replace(
    windowParameter,
    (_, name: string, utc = '') => `{prior${name[0]!.toUpperCase()}${name.slice(1)}${utc}:`,
  );
}
