/** How all stores do, and which one to open now. */
import { ViewPage } from '../frame/viewPage.tsx';
import type { View } from '../view/view.ts';

/** The overview. */
export function Overview() {
  return <ViewPage title="Overview">{(view) => <Content view={view} />}</ViewPage>;
}

function Content({ view }: { readonly view: View }) {
  return <p>{view.stores.length}</p>;
}
