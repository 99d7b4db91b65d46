/** The sales of a product as a small line. */
import { amount } from '../view/format.ts';
import { type ProductNames, useProductSales } from '../view/productSales.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { Trend, useSeen } from './trend.tsx';

/** A line that misses more of the sales than this part would mislead. */
const missingMax = 0.01;

type SalesTrendProps = {
  readonly view: View;
  readonly store: Store;
  readonly product: ProductNames;
  /** The sum that the line should have; without it, any will do. */
  readonly total?: number;
};

/** The line; its figures are read once it is seen. */
export function SalesTrend({ view, store, product, total }: SalesTrendProps) {
  const [element, isSeen] = useSeen();
  const { value, isLoading } = useProductSales(view, store, product, isSeen);
  return (
    <span class="trend" ref={element} aria-busy={isLoading}>
      {isSeen && !isLoading && (
        <Trend
          values={value && addsUp(value.sales, total) ? value.sales : undefined}
          write={(figure) => amount(figure, store.currency)}
        />
      )}
    </span>
  );
}

function addsUp(sales: readonly number[], total: number | undefined): boolean {
  const sum = sales.reduce((all, value) => all + value, 0);
  return total === undefined || Math.abs(sum - total) <= missingMax * Math.abs(total);
}
