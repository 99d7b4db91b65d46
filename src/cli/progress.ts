/** A progress bar for a file. */

/** Receives the progress of a file. */
export type Progress = {
  /** Adds this many bytes. */
  advance(bytes: number): void;
  /** Shows another state, a single word. */
  setState(state: string): void;
  end(): void;
};

const silent: Progress = {
  advance: () => undefined,
  setState: () => undefined,
  end: () => undefined,
};

/** Shows a progress bar on a terminal, and nothing elsewhere; `bytes` is undefined when unknown. */
export async function showProgress(
  name: string,
  bytes: number | undefined,
  initialState: string,
): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const { default: bars } = await import('cli-progress');
  const format =
    bytes === undefined
      ? '{name}  {megabytes} MB  {state}'
      : '{name}  [{bar}] {percentage} %  {megabytes} MB  {state}';
  const bar = new bars.SingleBar(
    { format, clearOnComplete: true, hideCursor: true, stream: process.stderr },
    bars.Presets.shades_classic,
  );
  let done = 0;
  let state = initialState;
  const show = () => bar.update(done, { name, state, megabytes: (done / 1e6).toFixed(1) });
  bar.start(bytes ?? 0, 0, { name, state, megabytes: '0.0' });
  return {
    advance(more) {
      done += more;
      show();
    },
    setState(next) {
      state = next;
      show();
    },
    end: () => bar.stop(),
  };
}
