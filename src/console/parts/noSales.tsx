/** Nothing was sold: says up to when something is known, and leads there. */
import { inDay } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { Empty } from './panel.tsx';

/** The explanation, in the place of a chart. */
export function NoSales({ view }: { readonly view: View }) {
  const { address, lastDay, range } = view;
  const isBefore = range.last < lastDay;
  return (
    <Empty icon="chart" title="No sales in this period">
      <p>
        {isBefore && `There is data up to ${inDay(lastDay)}. `}
        Order reports bring sales.
      </p>
      <div class="actions">
        {isBefore && (
          <a
            class="control primary"
            href={address.hrefOf({ from: undefined, to: undefined, period: undefined })}
          >
            Show the last 30 days
          </a>
        )}
        <a class="control" href="/guides/importing">
          What to import
        </a>
      </div>
    </Empty>
  );
}
