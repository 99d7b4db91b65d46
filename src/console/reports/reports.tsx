/** CSV reports: what is under way, the files, and a new one. */
import { ViewPage } from '../frame/viewPage.tsx';
import { Body, Note } from '../parts/panel.tsx';
import { inRange } from '../view/format.ts';
import type { View } from '../view/view.ts';
import { Files } from './files.tsx';
import { isType, kinds, typeDefault } from './kinds.ts';
import { useReports } from './listed.ts';
import { NewReport } from './newReport.tsx';

/** The view of reports. */
export function Reports() {
  return (
    <ViewPage
      title="Reports"
      filters={{ stores: false, currency: false }}
      dates={({ range }) => `${inRange(range)}, by the days of the store.`}
    >
      {(view) => <Content view={view} />}
    </ViewPage>
  );
}

function Content({ view }: { readonly view: View }) {
  const named = view.address.params.get('report') ?? typeDefault;
  const type = isType(named) ? named : typeDefault;
  const query = useReports();
  return (
    <>
      {!isType(named) && (
        <Note>
          The address names the report {named}, which there is not; this is{' '}
          {kinds[typeDefault].name}.
        </Note>
      )}
      <div class="columns">
        <div class="stack">
          <Body query={query} name="the reports" lines={6} height={320}>
            {({ rows }) => (
              <div class="stack">
                <Files view={view} reports={rows} />
              </div>
            )}
          </Body>
        </div>
        <div class="stack">
          <NewReport view={view} type={type} onCreated={query.retry} />
        </div>
      </div>
    </>
  );
}
