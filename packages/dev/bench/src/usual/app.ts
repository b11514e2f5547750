import express, { type Express } from 'express';
import { z } from 'zod';
import type { UsualRelayer } from './relayer.js';

const Body = z.object({ poolAddress: z.string(), calldata: z.array(z.string()) });

/** One route: reads, checks, sends, waits, answers. */
export function usualApp(relayer: UsualRelayer): Express {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.post('/api/relayer/withdraw', async (request, response) => {
    const { poolAddress, calldata } = Body.parse(request.body);
    response.json(await relayer.withdraw(poolAddress, calldata));
  });
  return app;
}
