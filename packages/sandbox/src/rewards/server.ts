import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxWorld, type SandboxLendingPool } from '../contracts/world.js';
import { toPaddedHex } from '../engine/felt.js';
import type { Json } from '../json.js';
import type { RewardsFault } from './faults.js';
import type { RewardRate, RewardsApi } from './rewards-api.js';

interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Longer than clients keep idle connections, so that a connection breaks only when ordered. */
const KEEP_ALIVE_MS = 75_000;
const POOL_PATH = /^\/pools\/(0x[0-9a-fA-F]{1,64})$/;
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

/** The HTTP server: `GET /pools` and `GET /pools/{address}`. */
export function createRewardsServer(api: RewardsApi): Server {
  const server = createServer((request, response) => {
    handle(api, request, response).catch((error: unknown) => {
      // Either the client has gone, or the sandbox has a mistake, which must not look like a fault on purpose.
      if (response.headersSent || response.destroyed) response.destroy();
      else send(response, 500, 'text/plain', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function handle(api: RewardsApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  const { pathname } = new URL(request.url ?? '/', 'http://rewards');
  const answer = (): Answer => (request.method === 'GET' ? answerOf(api, pathname) : NOT_FOUND);
  await reply(response, api.take(), answer);
}

async function reply(response: ServerResponse, fault: RewardsFault | undefined, answer: () => Answer): Promise<void> {
  switch (fault?.kind) {
    case 'refuse':
      sendJson(response, { status: fault.status, body: { message: 'Refused' } });
      return;
    case 'rate-limited':
      if (fault.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(fault.retryAfterSeconds));
      send(response, 429, 'text/plain', 'Too Many Requests');
      return;
    case 'html':
      send(
        response,
        fault.status ?? 502,
        'text/html',
        '<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
      );
      return;
    case 'answer':
      send(response, 200, 'application/json', JSON.stringify(fault.body));
      return;
    case 'cut':
      response.destroy();
      return;
    case 'late':
      await sleep(fault.delayMs, undefined, { ref: false });
      sendJson(response, answer());
      return;
    case undefined:
      sendJson(response, answer());
  }
}

function answerOf(api: RewardsApi, path: string): Answer {
  if (path === '/pools') return { status: 200, body: { data: api.pools().map((pool) => renderPool(pool, api.rateOf(pool))) } };
  const address = POOL_PATH.exec(path)?.[1];
  const pool = address === undefined ? undefined : api.poolAt(BigInt(address));
  return pool === undefined ? NOT_FOUND : { status: 200, body: { data: renderPool(pool, api.rateOf(pool)) } };
}

/** Addresses are padded here and nowhere else in the sandbox: interfaces differ in that. */
function renderPool({ address, name, asset, vaultToken }: SandboxLendingPool, rate: RewardRate | null): Json {
  const { name: assetName, symbol, decimals } = sandboxWorld.tokens.WBTC;
  const vToken = { address: toPaddedHex(vaultToken.address), name: `Vesu ${assetName}`, symbol: vaultToken.symbol, decimals: 18 };
  const btcFiSupplyApr = rate === null ? null : { value: String(rate.value), decimals: rate.decimals };
  const stats = { canBeBorrowed: true, defiSpringSupplyApr: null, btcFiSupplyApr, lstApr: null };
  const market = { address: toPaddedHex(asset), name: assetName, symbol, decimals, vToken, stats };
  return { id: toPaddedHex(address), name, isDeprecated: false, isVerified: true, assets: [market], pairs: [] };
}

function sendJson(response: ServerResponse, { status, body }: Answer): void {
  send(response, status, 'application/json', JSON.stringify(body));
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': `${type}; charset=utf-8` }).end(body);
}
