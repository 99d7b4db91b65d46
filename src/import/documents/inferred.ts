/** Rows inferred from a document, besides its own. */
import type { Row } from '../../engine/warehouse.ts';
import { amountText } from '../cells/fields.ts';
import type { ImportSession } from '../session.ts';

const rowsBetweenFlushes = 10_000;
const plainFields: ReadonlySet<string> = new Set(['sku', 'productId', 'parentProductId', 'title']);

type Fields = Readonly<Record<string, unknown>>;

/** A product in the fields of its dataset, with its line in the document. */
export type InferredProduct = {
  readonly product: Fields;
  readonly line: number;
};

/**
 * Stages the products that the channel does not have yet, by SKU. Existing products only get values
 * for unknown fields: for these fields, or for every field if only ids and a title are known, as
 * for inferred products.
 */
export async function inferProducts(
  session: ImportSession,
  products: ReadonlyMap<string, InferredProduct>,
  filledFields: readonly string[] = [],
): Promise<void> {
  const existing = await session.existing.products([...products.keys()]);
  let staged = 0;
  for (const [sku, { product, line }] of products) {
    const known = existing.get(sku);
    const row = known ? filled(fieldsOf(known), product, filledFields) : product;
    if (row === undefined) continue;
    session.inferred('products').object(row, line);
    if (++staged % rowsBetweenFlushes === 0) await session.flush();
  }
}

/** The existing product with these fields filled in; undefined if none of them was blank. */
function filled(known: Fields, product: Fields, names: readonly string[]): Fields | undefined {
  const detailed = Object.keys(known).filter((name) => !plainFields.has(name));
  const isInferred = detailed.every((name) => isBlank(known[name]));
  const news = (isInferred ? Object.keys(product) : names).filter(
    (name) => isBlank(known[name]) && !isBlank(product[name]),
  );
  if (news.length === 0) return undefined;
  return { ...known, ...Object.fromEntries(news.map((name) => [name, product[name]])) };
}

/** The columns of a product as the fields of its dataset. */
function fieldsOf(row: Row): Fields {
  const fields = Object.entries(row).map(([column, value]) => [
    column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    typeof value === 'bigint' ? amountText(value) : value,
  ]);
  const { fulfilledByMarketplace: isTheirs, ...others } = Object.fromEntries(fields);
  return { ...others, fulfilledByMarketplace: isTheirs === null ? null : isTheirs === 1 };
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value !== 'boolean' && Number(value) === 0;
}
