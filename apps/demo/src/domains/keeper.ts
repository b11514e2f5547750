import { systemClock, u256FromHalves, u256ToHalves } from '@sotto/kernel';
import { z } from 'zod';
import { say } from '../console.js';
import { getJson, postJson } from '../json-request.js';
import { formatStrk } from '../report.js';
import type { Sites } from '../sites/sites.js';
import { Node } from '../wallet/node.js';
import { Signer, callTo } from '../wallet/signer.js';
import type { KeeperFigures, Round, Sent } from './keeper-figures.js';

/** Result of one demonstration: a readable text and figures for the JSON line. */
interface Shown<Name extends keyof KeeperFigures> {
  readonly text: string;
  readonly figures: Pick<KeeperFigures, Name>;
}

const Status = z.object({
  tasks: z.array(
    z.object({
      task: z.string(),
      subjects: z.array(
        z.object({
          subject: z.string(),
          reason: z.string().nullable(),
          details: z.record(z.string(), z.unknown()),
          lastActed: z.object({ submission: z.string() }).nullable(),
        }),
      ),
    }),
  ),
});
type Subject = z.output<typeof Status>['tasks'][number]['subjects'][number];
const Submission = z.object({
  state: z.string(),
  transaction_hash: z.string().nullable(),
  execution_status: z.string().nullable(),
});
const Mayer = z.object({
  own: z.object({ multiple: z.string(), band: z.string() }),
  days: z.object({ agreed: z.int() }),
});

const IDLE_VAULT = 'apex';
const IDLE_SATS = 1_250_000n;
/** Order of two purchases of 1,000 USDC each, one hour apart. */
const ORDER = { amountE6: 1_000_000_000n, frequencySeconds: 3_600n, total: 2n };
const COLLATERAL_SATS = 10_000_000n;
const TARGET = 3;
/** Deviation from the target leverage that the keeper accepts. */
const NEAR = 0.06;
const LANE = 'keeper-0';

const POLL_EVERY_MS = 250;
const TIMEOUT_MS = 60_000;
const HUNDREDTHS = 100n;
const E18 = 10n ** 18n;

/**
 * Mints WBTC to a vault and waits until the keeper deploys it. @throws Error if it is not deployed
 */
export async function showIdleFunds(sites: Sites): Promise<Shown<'idleFunds'>> {
  const { world, mintWbtc } = sites;
  const node = new Node(sites.rpcUrl);
  const { address } = world.vaults[IDLE_VAULT];
  const idle = (): Promise<bigint> => node.balance(world.tokens.WBTC.address, address);
  say(`leaving ${IDLE_SATS} sats idle in the vault ${IDLE_VAULT}, for the keeper to deploy`);
  await mintWbtc(address, IDLE_SATS);
  const sent = await acted(sites, node, 'curator', IDLE_VAULT);
  const deployedSats = IDLE_SATS - (await idle());
  if (deployedSats === 0n) throw new Error('the keeper deployed nothing');
  return {
    text: `${IDLE_VAULT}: deployed ${deployedSats} sats without a request; ${paidText(sent)}`,
    figures: { idleFunds: { vault: IDLE_VAULT, deployedSats, ...sent } },
  };
}

/**
 * Creates an order of recurring purchases, as a user would. @throws Error if the first purchase is
 * not executed
 */
export async function showPurchase(sites: Sites): Promise<Shown<'purchase'>> {
  const { accounts, purchases, tokens } = sites.world;
  const node = new Node(sites.rpcUrl);
  const funds = async (): Promise<readonly bigint[]> => [
    await node.balance(tokens.WBTC.address, accounts.buyer.address),
    await node.balance(tokens.WBTC.address, accounts.keeper1.address),
  ];
  const { amountE6, frequencySeconds, total } = ORDER;
  // An order that the Mayer Multiple adjusts deposits 1.5 times its amount.
  const deposit = (amountE6 * total * 3n) / 2n;
  const [ownerBefore = 0n, keeperBefore = 0n] = await funds();
  say(`ordering ${usdcText(amountE6)} USDC of WBTC every hour, adjusted by the Mayer Multiple`);
  await new Signer(node, accounts.buyer).send([
    callTo(tokens.USDC.address, 'approve', [purchases.address, ...u256ToHalves(deposit)]),
    callTo(purchases.address, 'create_order', [
      tokens.USDC.address,
      ...u256ToHalves(amountE6),
      frequencySeconds,
      total,
      1n,
    ]),
  ]);
  const [id = 0n] = await node.call(purchases.address, 'order_count');
  const order = String(id);
  const sent = await acted(sites, node, 'purchases', order);
  const [executed] = (await node.events(purchases.address, 'OrderExecuted')).filter(
    ({ keys: [, orderId] }) => orderId === id,
  );
  const [, , low = 0n, high = 0n] = executed?.data ?? [];
  const soldUsdcE6 = u256FromHalves(low, high);
  const [ownerAfter = 0n, keeperAfter = 0n] = await funds();
  const [ownerSats, feeSats] = [ownerAfter - ownerBefore, keeperAfter - keeperBefore];
  if (ownerSats === 0n || feeSats === 0n) throw new Error('the order bought nothing');
  const { own, days } = Mayer.parse((await getJson(`${sites.baseUrl}/api/keeper/mayer`)).body);
  const [multiple, band] = [Number(own.multiple).toFixed(2), own.band];
  return {
    text: `order ${order} executed at Mayer Multiple ${multiple}, band ${band}×, of ${days.agreed} daily closes: ${usdcText(soldUsdcE6)} USDC bought ${ownerSats} sats for its owner; keeper’s fee ${feeSats} sats, ${paidText(sent)}`,
    figures: {
      purchase: {
        order,
        mayerMultiple: own.multiple,
        band,
        closes: days.agreed,
        soldUsdcE6,
        ownerSats,
        feeSats,
        ...sent,
      },
    },
  };
}

/**
 * Sets leverage targets, so that the keeper moves the vault to 3× and back to 1×. @throws Error if
 * a target is not reached
 */
export async function showTurbo(sites: Sites): Promise<Shown<'turbo'>> {
  const { baseUrl, curatorToken, world, mintWbtc } = sites;
  await mintWbtc(world.vaults.turbo.address, COLLATERAL_SATS);
  await postJson(
    `${baseUrl}/api/curator`,
    { vaultId: 'turbo' },
    { authorization: `Bearer ${curatorToken}` },
  );
  say(`leading the vault turbo, with ${COLLATERAL_SATS} sats, to ${TARGET}× and back to 1×`);
  const up = await led(sites, TARGET);
  const down = await led(sites, 1);
  return {
    text: `led to ${TARGET}× ${roundsText(up)}; back to 1× ${roundsText(down)}`,
    figures: { turbo: { up, down } },
  };
}

/**
 * Waits until the treasury has funded a lane that paid for gas. @throws Error if it does not in
 * time
 */
export async function showLane(sites: Sites): Promise<Shown<'lane'>> {
  const { accounts, tokens } = sites.world;
  const node = new Node(sites.rpcUrl);
  const strkOf = ({ address }: { readonly address: bigint }): Promise<bigint> =>
    node.balance(tokens.STRK.address, address);
  const treasuryBefore = await strkOf(accounts.treasury);
  const sent = await acted(sites, node, 'treasury', LANE);
  const paidFri = treasuryBefore - (await strkOf(accounts.treasury)) - sent.gasFri;
  const balanceFri = await strkOf(accounts.keeper1);
  return {
    text: `${LANE} fell below its floor and got ${formatStrk(paidFri)} STRK from the treasury; it has ${formatStrk(balanceFri)} STRK`,
    figures: { lane: { lane: LANE, paidFri, balanceFri, ...sent } },
  };
}

/** Sets the target and returns each position of the vault until the target is reached. */
async function led(sites: Sites, target: number): Promise<readonly Round[]> {
  const { baseUrl, operatorToken } = sites;
  const rounds: Round[] = [];
  let debtUsdcE6 = await debtOf(sites);
  await postJson(
    `${baseUrl}/api/operator/leverage/turbo`,
    { target },
    { authorization: `Bearer ${operatorToken}` },
  );
  let why: string | null = null;
  const poll = async (): Promise<boolean> => {
    if ((await debtOf(sites)) !== debtUsdcE6) {
      const now = await position(sites);
      debtUsdcE6 = now.debtUsdcE6;
      rounds.push(now);
      say(`turbo: round ${rounds.length} to ${target}×: ${roundText(now)}`);
    }
    const { reason, details } = (await subjectOf(sites, 'leverage', 'turbo')) ?? {};
    why = reason ?? null;
    // If a vault has no position, the keeper also reports AT_TARGET. The comparison of the leverage
    // excludes this case.
    return reason === 'AT_TARGET' && Math.abs(Number(details?.['leverage']) - target) < NEAR;
  };
  await until(`turbo to be at ${target}×`, poll, () => why);
  if (rounds.length === 0) throw new Error('the keeper moved nothing');
  return rounds;
}

async function debtOf({ rpcUrl, world }: Sites): Promise<bigint> {
  const [, , low = 0n, high = 0n] = await new Node(rpcUrl).call(
    world.vaults.turbo.address,
    'position',
  );
  return u256FromHalves(low, high);
}

async function position({ rpcUrl, world }: Sites): Promise<Round> {
  const node = new Node(rpcUrl);
  const { tokens, vaults, lendingPools } = world;
  const [vault, pool] = [vaults.turbo.address, lendingPools.prime.address];
  const [[low = 0n, high = 0n, debtLow = 0n, debtHigh = 0n], debtSats, [maxLtvE18 = 0n]] =
    await Promise.all([
      node.call(vault, 'position'),
      node.amount(pool, 'debt_in_collateral', [vault]),
      node.call(pool, 'pair_config', [tokens.WBTC.address, tokens.USDC.address]),
    ]);
  const collateralSats = u256FromHalves(low, high);
  return {
    collateralSats,
    debtUsdcE6: u256FromHalves(debtLow, debtHigh),
    leverage: ratioText(collateralSats, collateralSats - debtSats),
    healthFactor: debtSats === 0n ? null : ratioText(collateralSats * maxLtvE18, debtSats * E18),
  };
}

/** Resolves when the keeper's transaction for the subject has succeeded in an accepted block. */
async function acted(sites: Sites, node: Node, task: string, subject: string): Promise<Sent> {
  let reason: string | null = null;
  const id = await until(
    `the keeper to act on ${task} ${subject}`,
    async () => {
      const found = await subjectOf(sites, task, subject);
      reason = found?.reason ?? null;
      return found?.lastActed?.submission;
    },
    () => reason,
  );
  const url = `${sites.baseUrl}/api/relayer/submissions/${id}`;
  const transactionHash = await until(`the transaction about ${task} ${subject}`, async () => {
    const { state, ...submission } = Submission.parse((await getJson(url)).body);
    if (state !== 'succeeded') return undefined;
    return submission.transaction_hash ?? undefined;
  });
  return { transactionHash, gasFri: await node.feePaid(transactionHash) };
}

async function subjectOf(
  { baseUrl }: Sites,
  task: string,
  subject: string,
): Promise<Subject | undefined> {
  const { tasks } = Status.parse((await getJson(`${baseUrl}/api/keeper/status`)).body);
  return tasks
    .find((each) => each.task === task)
    ?.subjects.find((each) => each.subject === subject);
}

/** Polls until `poll` returns anything except `undefined` and `false`. */
async function until<T>(
  what: string,
  poll: () => Promise<T | undefined | false>,
  why: () => string | null = () => null,
): Promise<T> {
  const untilMs = systemClock.monotonicMs() + TIMEOUT_MS;
  while (systemClock.monotonicMs() < untilMs) {
    const found = await poll();
    if (found !== undefined && found !== false) return found;
    await systemClock.sleep(POLL_EVERY_MS);
  }
  const reason = why();
  throw new Error(
    `waited ${TIMEOUT_MS / 1_000} s for ${what}${reason === null ? '' : `: ${reason}`}`,
  );
}

function roundsText(rounds: readonly Round[]): string {
  return `in ${rounds.length} rounds: ${rounds.map(roundText).join(', ')}`;
}

function roundText({ leverage, healthFactor }: Round): string {
  return healthFactor === null
    ? `${leverage}× (no debt)`
    : `${leverage}× (health factor ${healthFactor})`;
}

function paidText({ gasFri }: Sent): string {
  return `gas paid ${formatStrk(gasFri)} STRK`;
}

/** Formats a quotient with two decimals, truncated. */
function ratioText(numerator: bigint, denominator: bigint): string {
  const hundredths = (numerator * HUNDREDTHS) / denominator;
  return `${hundredths / HUNDREDTHS}.${String(hundredths % HUNDREDTHS).padStart(2, '0')}`;
}

function usdcText(unitsE6: bigint): string {
  return String(Number(unitsE6) / 1e6);
}
