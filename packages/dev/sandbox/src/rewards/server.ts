import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { SandboxLendingPool, SandboxToken } from '../contracts/world.js';
import { toPaddedHex } from '../engine/felt.js';
import { misbehave } from '../http/faults.js';
import { httpServerOf, sendJson, type Answer } from '../http/server.js';
import type { Json } from '../json.js';
import type { RewardsFault } from './faults.js';
import type { RewardRate, RewardsApi } from './rewards-api.js';

const POOL_PATH = /^\/pools\/(0x[0-9a-fA-F]{1,64})$/;
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

/** Creates the HTTP server of the rewards interface: `GET /pools` and `GET /pools/{address}`. */
export function createRewardsServer(api: RewardsApi): Server {
  return httpServerOf((request, response) => handle(api, request, response));
}

async function handle(
  api: RewardsApi,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  const { pathname } = new URL(request.url ?? '/', 'http://rewards');
  const answer = (): Answer => (request.method === 'GET' ? answerOf(api, pathname) : NOT_FOUND);
  await reply(response, api.take(), answer);
}

async function reply(
  response: ServerResponse,
  fault: RewardsFault | undefined,
  answer: () => Answer,
): Promise<void> {
  if (fault?.kind === 'refuse')
    sendJson(response, { status: fault.status, body: { message: 'Refused' } });
  else if (fault === undefined) sendJson(response, answer());
  else await misbehave(response, fault, answer);
}

function answerOf(api: RewardsApi, path: string): Answer {
  if (path === '/pools')
    return {
      status: 200,
      body: { data: api.pools().map((pool) => renderPool(pool, api.asset, api.rateOf(pool))) },
    };
  const address = POOL_PATH.exec(path)?.[1];
  const pool = address === undefined ? undefined : api.poolAt(BigInt(address));
  return pool === undefined
    ? NOT_FOUND
    : { status: 200, body: { data: renderPool(pool, api.asset, api.rateOf(pool)) } };
}

/**
 * Renders a pool. Addresses are padded as in the real interface. All other interfaces of the
 * sandbox omit leading zeros.
 */
function renderPool(
  { address, name, asset, vaultToken }: SandboxLendingPool,
  lent: SandboxToken,
  rate: RewardRate | null,
): Json {
  const { name: assetName, symbol, decimals } = lent;
  const vToken = {
    address: toPaddedHex(vaultToken.address),
    name: `Vesu ${assetName}`,
    symbol: vaultToken.symbol,
    decimals: 18,
  };
  const btcFiSupplyApr =
    rate === null ? null : { value: String(rate.value), decimals: rate.decimals };
  const stats = { canBeBorrowed: true, defiSpringSupplyApr: null, btcFiSupplyApr, lstApr: null };
  const market = { address: toPaddedHex(asset), name: assetName, symbol, decimals, vToken, stats };
  return {
    id: toPaddedHex(address),
    name,
    isDeprecated: false,
    isVerified: true,
    assets: [market],
    pairs: [],
  };
}
