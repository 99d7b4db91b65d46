/** A bar that shows how far a file has come. */

/** What is told to a bar. */
export type Progress = {
  /** So many bytes more. */
  moved(bytes: number): void;
  /** What is being done from now on, in a word. */
  now(state: string): void;
  end(): void;
};

const silent: Progress = { moved: () => undefined, now: () => undefined, end: () => undefined };

/** Shows a bar of `bytes`, without a total where they are not known; on a terminal only. */
export async function showProgress(
  name: string,
  bytes: number | undefined,
  state: string,
): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const { default: bars } = await import('cli-progress');
  const form =
    bytes === undefined
      ? '{name}  {megabytes} MB  {state}'
      : '{name}  [{bar}] {percentage} %  {megabytes} MB  {state}';
  const bar = new bars.SingleBar(
    { format: form, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    bars.Presets.shades_classic,
  );
  let moved = 0;
  let doing = state;
  const show = () => bar.update(moved, { name, state: doing, megabytes: (moved / 1e6).toFixed(1) });
  bar.start(bytes ?? 0, 0, { name, state, megabytes: '0.0' });
  return {
    moved(more) {
      moved += more;
      show();
    },
    now(next) {
      doing = next;
      show();
    },
    end: () => bar.stop(),
  };
}
