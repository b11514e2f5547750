import { Client } from 'pg';

/** Ends every other session of a server and takes all its connections. @returns gives them back */
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
  // Who is turned away tries again, and may be faster.
  while ((await endOthers(held)) > 0) await take();
  return release;
}

/** @returns how many sessions others had */
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
