/** All stores in a table, each a link to its own view. */
import { ViewPage } from '../frame/viewPage.tsx';
import { useStoreFigures } from '../overview/questions.ts';
import { StoresTable } from '../overview/storesTable.tsx';
import { Failed } from '../parts/panel.tsx';
import { standardInterval } from '../view/intervals.ts';
import type { View } from '../view/view.ts';

/** The list of stores. */
export function Stores() {
  return <ViewPage title="Stores">{(view) => <Content view={view} />}</ViewPage>;
}

function Content({ view }: { readonly view: View }) {
  const stored = useStoreFigures(view, standardInterval(view.range));
  const { problem, retry } = stored.sales;
  if (problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={problem} name="the sales of your stores" retry={retry} />
      </div>
    );
  return <StoresTable view={view} stored={stored} />;
}
