/** Connects to a ClickHouse server, as one user or with a second user for questions. */
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { Clock } from '../clock.ts';
import { StartRefusal, StoreUnavailable } from '../errors.ts';

/** How long a check of the server may take. */
export const pingTimeoutMilliseconds = 5_000;
/**
 * Longer than any statement: questions have deadlines, and TCP keep-alive notices lost connections.
 */
const requestTimeoutMilliseconds = 6 * 3_600_000;

/** The address of a server, and the certificates to trust. */
export type ServerAddress = {
  readonly url: string;
  /** The same server and database with a read-only user, for questions. */
  readonly readerUrl?: string | undefined;
  /** The only trusted certificates, in PEM; those of Node.js by default. */
  readonly authorities?: string | undefined;
};

/** The connections to a server. `reader` asks questions; without its own user it is `client`. */
export type Connections = Readonly<Record<'client' | 'reader' | 'probes', ClickHouseClient>>;

/** The rights of the user of a connection (`0` for all), and the database. */
export type Session = { readonly permitted: string; readonly name: string };

/** Connects. Throws StoreUnavailable if the server does not answer. */
export async function connect(
  { url, readerUrl, authorities }: ServerAddress,
  connectionsMax: number,
  clock: Clock,
): Promise<Connections & { readonly session: Session }> {
  const clientOf = (address: string, connections: number) =>
    createClient({
      url: address,
      ...(authorities !== undefined && { tls: { ca_cert: Buffer.from(authorities) } }),
      application: 'vitrine',
      request_timeout: requestTimeoutMilliseconds,
      max_open_connections: connections,
      use_multipart_params_auto: true,
      keep_alive: { enabled: true, eagerly_destroy_stale_sockets: true },
      // The library's own log would contain SQL and parameters.
      log: { level: 127 },
    });
  const client = clientOf(url, connectionsMax);
  const reader = readerUrl === undefined ? client : clientOf(readerUrl, connectionsMax);
  const connections = { client, reader, probes: clientOf(url, 1) };
  const timeout = new AbortController();
  const timer = clock.after(pingTimeoutMilliseconds, () => timeout.abort());
  try {
    const session = await sessionOf(client, timeout.signal);
    if (reader !== client) checkReader(session, await sessionOf(reader, timeout.signal));
    return { ...connections, session };
  } catch (error) {
    await closeAll(connections);
    throw error instanceof StartRefusal ? error : new StoreUnavailable('warehouse', error);
  } finally {
    timer.cancel();
  }
}

async function sessionOf(client: ClickHouseClient, abort_signal: AbortSignal): Promise<Session> {
  const answer = await client.query({
    query: "SELECT toString(getSetting('readonly')) AS permitted, currentDatabase() AS name",
    format: 'JSONEachRow',
    abort_signal,
  });
  const [session] = await answer.json<Session>();
  return session!;
}

function checkReader({ name }: Session, reader: Session): void {
  if (reader.permitted === '2' && reader.name === name) return;
  throw new StartRefusal(
    'The user of CLICKHOUSE_READER_URL cannot ask questions, or could do more: set readonly to 2 ' +
      'in its profile, and name the database of CLICKHOUSE_URL',
  );
}

/** Closes all connections. */
export async function closeAll(connections: Connections): Promise<void> {
  await Promise.all(Object.values(connections).map((one) => one.close()));
}
