import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { UsualRelayer } from './relayer.js';
import express from 'express';
import type { Express } from 'express';

const Body = z.object({ poolAddress: z.string(), calldata: z.array(z.string()) });

/** Creates an app with one route that reads, checks, sends, waits and responds. */
function usualApp(relayer: UsualRelayer): Express {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.post('/api/relayer/withdraw', async (request, response) => {
    const { poolAddress, calldata } = Body.parse(request.body);
    response.json(await relayer.withdraw(poolAddress, calldata));
  });
  return app;
}

/**
 * Usual flow of relaying withdrawals, as a separate process. The service is compared with this
 * flow.
 */

const Accounts = z
  .string()
  .transform((text) =>
    z.array(z.object({ address: z.string(), privateKey: z.string() })).parse(JSON.parse(text)),
  );
const Settings = z.object({
  STARKNET_RPC_URL: z.url(),
  ACCOUNTS: Accounts,
  ORACLE: z.string(),
  POLL_INTERVAL_MS: z.coerce.number(),
  HASH: z.enum(['starknet.js', 'ours']),
});

const {
  STARKNET_RPC_URL: nodeUrl,
  ACCOUNTS: accounts,
  ORACLE: oracle,
  POLL_INTERVAL_MS: pollIntervalMs,
  HASH: hash,
} = Settings.parse(process.env);
const relayer = await UsualRelayer.start({ nodeUrl, accounts, oracle, pollIntervalMs, hash });
const server = createServer(usualApp(relayer)).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string')
  throw new Error('the server is not listening on a TCP port');
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}` })}\n`);
