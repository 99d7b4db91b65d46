/** Rows inferred from a document, besides its own. */
import type { ImportSession } from '../session.ts';

const rowsBetweenFlushes = 10_000;

/** A product in the fields of its dataset, with its line in the document. */
export type InferredProduct = {
  readonly product: Readonly<Record<string, unknown>>;
  readonly line: number;
};

/** Stages the products that the channel does not have yet, by SKU. */
export async function inferProducts(
  session: ImportSession,
  products: ReadonlyMap<string, InferredProduct>,
): Promise<void> {
  const existing = await session.existingProducts([...products.keys()]);
  let staged = 0;
  for (const [sku, { product, line }] of products) {
    if (existing.has(sku)) continue;
    session.inferred('products').object(product, line);
    if (++staged % rowsBetweenFlushes === 0) await session.flush();
  }
}
