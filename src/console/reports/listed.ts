/** The reports of the organisation, watched while any of them is under way. */

import { useEffect, useRef } from 'preact/hooks';
import { type Answer, type Ask, ask } from '../client.ts';
import { useGathered } from '../queries.ts';

/** A report in the list. */
export type ListedReport = Answer<'listReports'>['reports'][number];

/** The most reports that are read, the newest first. */
export const readMax = 500;
const pageSize = 100;
const firstWaitMilliseconds = 500;
const waitMillisecondsMax = 5_000;
/** The most reports that are watched at once: the oldest ones end first. */
const watchedMax = 5;

/** Whether a report is not over yet. */
export const isUnderWay = ({ status }: Pick<ListedReport, 'status'>): boolean =>
  status === 'started' || status === 'inProgress';

/** Reads the reports, and again as soon as one of them is over. */
export function useReports() {
  const query = useGathered('reports', readReports, 0);
  const underWay = query.value?.rows.filter(isUnderWay) ?? [];
  const watched = underWay.slice(-watchedMax).map(({ reportId }) => reportId);
  useWatch(watched, query.lookAgain);
  return query;
}

async function readReports(ask: Ask): Promise<{ readonly rows: readonly ListedReport[] }> {
  const page = (pageIndex: number) => ask('listReports', { pageIndex, pageSize });
  const first = await page(0);
  const pages = Math.ceil(Math.min(first.total, readMax) / pageSize);
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, place) => page(place + 1)),
  );
  return { rows: [first, ...rest].flatMap(({ reports }) => reports) };
}

/** Reads the status of reports, ever less often, as long as the page is visible. */
function useWatch(reportIds: readonly string[], onEnd: () => void): void {
  const known = useRef(onEnd);
  known.current = onEnd;
  const key = reportIds.join(' ');
  useEffect(() => {
    if (key === '') return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer = 0;
    let wait = firstWaitMilliseconds;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const statuses = await Promise.all(
        key
          .split(' ')
          .map((reportId) =>
            ask('readReportStatus', { reportId }, signal).then(isUnderWay, () => true),
          ),
      );
      if (signal.aborted) return;
      // The list shows what ended, and why; another set of reports is then watched.
      if (statuses.includes(false)) known.current();
      wait = Math.min(wait * 1.5, waitMillisecondsMax);
      timer = setTimeout(look, wait);
    };
    const seen = () => {
      clearTimeout(timer);
      wait = firstWaitMilliseconds;
      if (!document.hidden) timer = setTimeout(look, wait);
    };
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [key]);
}
