import { Client } from 'pg';

/**
 * Ends all other sessions of a database server and occupies all its connections. @returns function
 * that closes these connections
 */
export async function takeAllConnections(url: string): Promise<() => Promise<void>> {
  const held: Client[] = [];
  const release = async (): Promise<void> => {
    await Promise.allSettled(held.map((client) => client.end()));
  };
  const take = async (): Promise<void> => {
    for (;;) {
      const client = new Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        return;
      }
      held.push(client);
    }
  };
  await take();
  // A client whose session was ended reconnects, and may occupy the free connection before this
  // function does.
  while ((await endOthers(held)) > 0) await take();
  return release;
}

/** @returns number of sessions that were ended */
async function endOthers(held: readonly Client[]): Promise<number> {
  const own = await Promise.all(held.map(backendOf));
  const ended = await held[0]?.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> all($1)",
    [own],
  );
  return ended?.rowCount ?? 0;
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
