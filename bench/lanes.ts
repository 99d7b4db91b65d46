/** Sends heavy requests from a thread of its own, so that they do not delay what is measured. */
import { parentPort, workerData } from 'node:worker_threads';

/** The body of a heavy request. */
export type HeavyBody = Readonly<Record<string, unknown>> & {
  readonly reportOptions: Readonly<Record<string, unknown>> & { readonly toDate: number };
};

/**
 * The requests to send, and how many at once. Each has its own end, so that no cached answer serves
 * it.
 */
export type Lanes = {
  readonly address: string;
  readonly key: string;
  readonly requests: readonly (readonly [path: string, body: HeavyBody])[];
  readonly inFlight: number;
};

const { address, key, requests, inFlight } = workerData as Lanes;
const statuses: Record<number, number> = {};
let isOver = false;
let sent = 0;
parentPort!.once('message', () => {
  isOver = true;
});

async function lane(number: number): Promise<void> {
  for (let index = number; !isOver; index++) {
    const [path, body] = requests[index % requests.length]!;
    const answer = await fetch(address + path, {
      method: 'POST',
      body: JSON.stringify({
        ...body,
        reportOptions: { ...body.reportOptions, toDate: body.reportOptions.toDate - ++sent },
      }),
      headers: {
        'content-type': 'application/json',
        'x-api-key': key,
        'accept-encoding': 'identity',
      },
    });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: inFlight }, (_, number) => lane(number)));
parentPort!.postMessage(statuses);
parentPort!.close();
