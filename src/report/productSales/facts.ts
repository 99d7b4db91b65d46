/** The parts of questions about the sales of products; each reads the facts of one window. */

import type { Channel } from '../../access/channels.ts';
import { type Part, type Places, partFile } from '../../engine/question.ts';

/** The kinds of channels, which have different facts. */
export type Kind = Channel['kind'];

const part = (name: string) => partFile(import.meta.url, name);

/** The parts that read a window. */
export const factPlaces = {
  seller: { sold: part('sellerSold.sql'), advertised: part('sellerAdvertised.sql') },
  vendor: { sold: part('vendorSold.sql'), advertised: part('vendorAdvertised.sql') },
} satisfies Record<Kind, Places>;

/** The parts that read the comparison period, within a question about the period. */
export function comparisonPlaces(kind: Kind): Places {
  const { sold, advertised } = factPlaces[kind];
  return { sold: ofComparison(sold), advertised: ofComparison(advertised) };
}

/** The parameters of a window; in the comparison period they have `prior` before their names. */
const windowParameter = /\{(from|to|first|last)(Utc)?:/g;

function ofComparison(part: Part): Part {
  const rows = part.rows.replace(
    windowParameter,
    (_, name: string, utc = '') => `{prior${name[0]!.toUpperCase()}${name.slice(1)}${utc}:`,
  );
  return { ...part, rows };
}
