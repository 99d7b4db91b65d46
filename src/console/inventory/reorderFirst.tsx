/** The SKUs to reorder today, the most urgent first. */
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';
import type { Day } from '../view/days.ts';
import { count, inDay } from '../view/format.ts';
import { counted } from '../words.ts';
import type { Stock } from './replenishment.ts';
import { byUrgency, chosenOf, isOut } from './shown.ts';

const shownMax = 5;

/** A panel with the first SKUs to reorder. */
export function ReorderFirst({
  rows,
  today,
}: {
  readonly rows: readonly Stock[];
  readonly today: Day;
}) {
  const due = chosenOf(rows, 'reorder', today).toSorted(byUrgency);
  return (
    <Panel title="Reorder first" count={due.length}>
      {due.length === 0 ? (
        <p class="calm">Nothing has to be reordered today.</p>
      ) : (
        <ul class="attention">
          {due.slice(0, shownMax).map((stock) => (
            <li key={`${stock.store.channelId} ${stock.sku}`}>
              <Icon
                name={isOut(stock) ? 'alert' : 'warning'}
                tone={isOut(stock) ? 'bad' : 'warn'}
              />
              <strong class="title" title={stock.title || stock.sku}>
                {stock.title || stock.sku}
              </strong>
              <span class="send">{counted(stock.units, 'unit')}</span>
              <p>{wordsOf(stock)}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function wordsOf(stock: Stock): string {
  const { store, available, inbound, stockOut } = stock;
  const onTheWay = inbound > 0 ? `, ${count(inbound)} on the way` : '';
  if (isOut(stock)) return `${store.shortName}: none left${onTheWay}`;
  const until = stockOut === undefined ? '' : `, to ${inDay(stockOut)}`;
  return `${store.shortName}: ${count(available)} left${until}${onTheWay}`;
}
