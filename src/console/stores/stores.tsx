/** All stores in a table, each a link to its own view. */
import { ViewPage } from '../frame/viewPage.tsx';
import { useStoreFigures } from '../overview/questions.ts';
import { StoresTable } from '../overview/storesTable.tsx';
import { Failed, Skeleton } from '../parts/panel.tsx';
import { standardInterval } from '../view/intervals.ts';
import type { View } from '../view/view.ts';

/** The list of stores. */
export function Stores() {
  return <ViewPage title="Stores">{(view) => <Content view={view} />}</ViewPage>;
}

function Content({ view }: { readonly view: View }) {
  const { sales, figures, totals } = useStoreFigures(view, standardInterval(view.range));
  if (sales.problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={sales.problem} name="the sales of your stores" retry={sales.retry} />
      </div>
    );
  if (figures === undefined || totals === undefined)
    return (
      <div class="panel">
        <Skeleton lines={8} height={480} />
      </div>
    );
  return (
    <StoresTable
      view={view}
      figures={figures}
      totals={totals}
      request={sales.request}
      isLoading={sales.isLoading}
    />
  );
}
