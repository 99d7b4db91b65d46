/** Which orders of a document are the channel's own: a seller's documents may tell those of other marketplaces and shops as well. */
import { type Desk, oneMarketplace } from '../kind.ts';

/** What refuses orders of another marketplace, and those of other shops that the marketplace only ships, and says whether an order may stay. */
export function soldInChannel(
  desk: Desk,
): (salesChannel: unknown, marketplaceId: unknown, line: number) => boolean {
  const isOfMarketplace = oneMarketplace(desk);
  return (salesChannel, marketplaceId, line) => {
    if (typeof salesChannel === 'string' && /^non[-_]amazon/i.test(salesChannel)) {
      desk.reject(
        line,
        'was sold outside of the marketplace, which only ships it: import it from where it was sold',
      );
      return false;
    }
    return isOfMarketplace({ marketplaceId }, line);
  };
}
