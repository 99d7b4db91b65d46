import { outcomeOf, Swatch } from '../charts/outcomes.tsx';
import type { Answer } from '../client.ts';
import { CopyButton } from '../copying.tsx';
import { RefreshButton, Show, useLoaded } from '../loaded.tsx';
import { inDuration, inSeconds, zone } from '../words.ts';
import { KeyName } from './key.tsx';

type Request = Answer<'listRecentRequests'>['requests'][number];

/** The latest requests, one by one. */
export function RecentRequests() {
  const loaded = useLoaded('listRecentRequests');
  return (
    <section aria-labelledby="requests-title" aria-busy={loaded.isLoading}>
      <div class="section-head">
        <h2 id="requests-title">Recent requests</h2>
        <RefreshButton loaded={loaded} name="recent requests" />
      </div>
      <p>
        Your latest 50 requests of the last 7 days, without their content, and why those were
        refused that were. Times are in your time zone, {zone}. To ask the operator of this service
        about a request, quote its request id.
      </p>
      <Show loaded={loaded} name="recent requests">
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
        are answered.
      </p>
    </div>
  );
}

function RequestTable({ requests }: { requests: readonly Request[] }) {
  const hasSeveralKeys = new Set(requests.map(({ key }) => key.keyId)).size > 1;
  return (
    <section
      class="scrolls long card flush"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      aria-label="Recent requests, table"
    >
      <table class="requests">
        <caption class="visually-hidden">Recent requests</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Call</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Duration
            </th>
            {hasSeveralKeys && <th scope="col">Key</th>}
            <th scope="col">Request id</th>
          </tr>
        </thead>
        <tbody>
          {requests.map(({ at, call, status, reason, milliseconds, key, requestId }) => {
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
                  {reason !== null && <p class="reason">{reason}</p>}
                </td>
                <td class="number">{inDuration(milliseconds)}</td>
                {hasSeveralKeys && (
                  <td>
                    <KeyName name={key.name} hint={key.hint} />
                  </td>
                )}
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
