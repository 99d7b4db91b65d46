/**
 * Notices that a server has fallen silent, so that nobody waits for it in vain. While a call waits,
 * the server is probed on a separate connection: a long statement continues as long as probes are
 * answered. Once neither is answered, waiting calls fail, and further calls fail at once until a
 * probe is answered.
 */
import type { Clock, Timer } from './clock.ts';
import { StoreUnavailable } from './errors.ts';

/** Ticks without an answer after which a server is silent. */
const ticksMax = 3;
/** The number of ticks after which a probe is given up, as its connection may be lost. */
const probeTicksMax = 6;

/** The server, and how long it may be silent. */
export type WatchedServer = {
  readonly store: StoreUnavailable['store'];
  /** Resolves as soon as the server answers anything. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly silenceMilliseconds: number;
};

type Waiting = { readonly ticks: number; readonly fail: (error: Error) => void };

/** Watches one server. */
export class ServerWatch {
  readonly #server: WatchedServer;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  /**
   * Ticks since the last answer. They are counted, not timed, because a busy process misses
   * answers.
   */
  #quietTicks = 0;
  #timer: Timer | undefined;
  #isClosed = false;
  #probe: { readonly abort: AbortController; ticks: number } | undefined;

  constructor(server: WatchedServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  /**
   * Waits for an answer of the server. Throws StoreUnavailable, and aborts the signal, once the
   * server has been silent for `patience` times the usual time.
   */
  async during<T>(work: (signal: AbortSignal) => Promise<T>, patience = 1): Promise<T> {
    const ticks = ticksMax * patience;
    if (this.#quietTicks >= ticks) throw this.#silence();
    const abort = new AbortController();
    const silent = Promise.withResolvers<never>();
    silent.promise.catch(ignore);
    const waiting = {
      ticks,
      fail(error: Error) {
        silent.reject(error);
        abort.abort(error);
      },
    };
    this.#waiting.add(waiting);
    this.#tickLater();
    try {
      const working = work(abort.signal);
      working.catch(ignore);
      const answer = await Promise.race([working, silent.promise]);
      this.#quietTicks = 0;
      return answer;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#probe?.abort.abort();
  }

  #tickLater(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = this.#clock.after(this.#server.silenceMilliseconds / ticksMax, () =>
      this.#tick(),
    );
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#waiting.size === 0 && this.#quietTicks < ticksMax) {
      this.#quietTicks = 0;
      return;
    }
    this.#quietTicks++;
    for (const { ticks, fail } of this.#waiting)
      if (this.#quietTicks >= ticks) fail(this.#silence());
    this.#probeServer();
    // Only after pending answers have been read, because this process may have been busy.
    setImmediate(() => this.#tickLater());
  }

  #probeServer(): void {
    if (this.#probe !== undefined && ++this.#probe.ticks < probeTicksMax) return;
    this.#probe?.abort.abort();
    const probe = { abort: new AbortController(), ticks: 0 };
    this.#probe = probe;
    this.#server
      .probe(probe.abort.signal)
      .then(() => {
        this.#quietTicks = 0;
      }, ignore)
      .finally(() => {
        if (this.#probe === probe) this.#probe = undefined;
      });
  }

  #silence(): StoreUnavailable {
    const { store } = this.#server;
    return new StoreUnavailable(store, new Error('the server does not answer'));
  }
}

function ignore(): void {}
