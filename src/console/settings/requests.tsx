import { outcomeOf, Swatch } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { CopyButton } from '../copying.tsx';
import { RefreshButton, Show, useLoaded } from '../loaded.tsx';
import { inDuration, inSeconds, zone } from '../words.ts';

type Request = Answer<'listRecentRequests'>['requests'][number];

/** The last requests, one by one. */
export function RecentRequests() {
  const loaded = useLoaded('listRecentRequests');
  return (
    <section aria-labelledby="requests-title" aria-busy={loaded.isLoading}>
      <div class="section-head">
        <h2 id="requests-title">Last requests</h2>
        <RefreshButton loaded={loaded} name="last requests" />
      </div>
      <p>
        The last 50 of 7 days, without what was asked or answered. Times are in your zone, {zone}.
        With a request id, the operator of this service finds out what happened.
      </p>
      <Show loaded={loaded} name="the last requests">
        {({ requests }) =>
          requests.length === 0 ? <NoRequests /> : <RequestTable requests={requests} />
        }
      </Show>
    </section>
  );
}

function NoRequests() {
  return (
    <div class="card empty">
      <p>
        <strong>No requests in the last 7 days.</strong> They appear here a few seconds after they
        were answered.
      </p>
    </div>
  );
}

function RequestTable({ requests }: { requests: readonly Request[] }) {
  return (
    <section
      class="scrolls long card flush"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
      tabIndex={0}
      aria-label="Last requests, table"
    >
      <table class="requests">
        <caption class="visually-hidden">Last requests</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Call</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col">Request id</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ at, call, status, milliseconds, requestId }) => {
            const { name, label } = outcomeOf(status);
            return (
              <tr key={`${requestId} ${at}`}>
                <td class="time">
                  <time dateTime={new Date(at).toISOString()}>{inSeconds(at)}</time>
                </td>
                <td>
                  <code>{call}</code>
                </td>
                <td class="status">
                  <Swatch name={name} /> {status} <span class="muted">{label.toLowerCase()}</span>
                </td>
                <td class="number">{inDuration(milliseconds)}</td>
                <td class="request-id">
                  <code>{requestId}</code>{' '}
                  <CopyButton text={requestId} name={`request id ${requestId}`} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
