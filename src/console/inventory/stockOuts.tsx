/** When stock ends, week by week. */
import { useState } from 'preact/hooks';
import { type Bar, Bars } from '../charts/bars.tsx';
import { Empty, Panel } from '../parts/panel.tsx';
import { DataTable } from '../parts/table.tsx';
import { Toolbar } from '../parts/toolbar.tsx';
import { addDays, type Day } from '../view/days.ts';
import { count, inRange, inShortDay } from '../view/format.ts';
import type { Stock } from './replenishment.ts';

const weeks = 12;
const daysPerWeek = 7;

/** A panel with the SKUs that run out in each of the next weeks. */
export function StockOuts({
  rows,
  today,
}: {
  readonly rows: readonly Stock[];
  readonly today: Day;
}) {
  const [isTable, setTable] = useState(false);
  const bars = barsOf(rows, today);
  const name = 'Stock-outs by week';
  return (
    <Panel
      title={name}
      className="chart"
      tools={
        <Toolbar
          name={name}
          rows={() => [['Week', 'SKUs'], ...bars.map(({ name: week, value }) => [week, value])]}
          table={{ isShown: isTable, toggle: () => setTable(!isTable) }}
        />
      }
    >
      <div class="body">
        {bars.every(({ value }) => value === 0) ? (
          <Empty icon="check" title={`Nothing runs out in ${weeks} weeks`}>
            <p>At the present sales, all stock lasts longer.</p>
          </Empty>
        ) : isTable ? (
          <DataTable
            name={name}
            rows={bars}
            keyOf={({ key }) => key}
            columns={[
              { id: 'week', name: 'Week', cell: (bar) => bar.name },
              { id: 'count', name: 'SKUs', isNumber: true, cell: ({ value }) => count(value) },
            ]}
          />
        ) : (
          <Bars name={name} bars={bars} height={336} />
        )}
      </div>
    </Panel>
  );
}

/** The weeks from today on; what ran out before counts for today. */
function barsOf(rows: readonly Stock[], today: Day): Bar[] {
  return Array.from({ length: weeks }, (_, week) => {
    const first = addDays(today, week * daysPerWeek);
    const last = addDays(first, daysPerWeek - 1);
    const value = rows.filter(
      ({ stockOut, perDay }) =>
        perDay && stockOut !== undefined && stockOut <= last && (week === 0 || stockOut >= first),
    ).length;
    return { key: first, label: inShortDay(first), name: inRange({ first, last }, false), value };
  });
}
