import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually, keyed, type Answer, type Service } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { Fleet } from './support/fleet.js';
import { ONE, PrivateWallet, SPONSOR_KEY, privateStack } from './support/private-actions.js';
import type { Stack } from './support/stack.js';
import { StoreAudit } from './support/store-audit.js';
import { vector } from './support/withdrawals.js';

const { accounts, tokens } = sandboxWorld;
const STRK: bigint = tokens.STRK.address;
const USDC: bigint = tokens.USDC.address;
const LANES = [accounts.lane1, accounts.lane2];
const RELAYS: ReadonlySet<string> = new Set(LANES.map(({ address }) => toFelt(address)));
const FIRST = 'instance-0';
const PAYMENT = 2n * ONE;
/** Budget of the sponsor per day, for a few transactions. */
const BUDGET = 3n * ONE;
const PATH = '/api/relayer/private-action';

const codeOf = ({ body }: Answer): unknown => Object(body).code ?? Object(body).execution_status;
const send = (
  service: Service,
  { poolAddress, calldata, proofFacts, proof }: PrivateRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => service.post(PATH, { poolAddress, calldata, proofFacts, proof }, headers);
const sendSponsored = (
  service: Service,
  { poolAddress, calldata, proofFacts, proof }: PrivateRequest,
): Promise<Answer> =>
  service.post(
    PATH,
    { poolAddress, calldata, proofFacts, proof, feeMode: 'sponsored' },
    { 'x-paymaster-api-key': SPONSOR_KEY },
  );

const found = findPostgres();
const title = 'two instances that receive the same private actions';

(found.kind === 'found' ? describe : describe.skip)(
  found.kind === 'found' ? title : `${title} [skipped: ${found.reason}]`,
  () => {
    const stops: (() => Promise<void>)[] = [];
    let stack: Stack;
    let fleet: Fleet;
    let audit: StoreAudit;
    let wallet: PrivateWallet;
    let cases = 0;
    beforeAll(async () => {
      if (found.kind === 'missing') throw new Error(found.reason);
      const server = await PostgresServer.start(found);
      stops.push(() => server.stop());
      const url = await server.createDatabase();
      stack = await privateStack({
        // The pool would apply the same actions again, so a second inclusion is detected.
        genesis: { emptyBlocks: 12, enforceNullifier: false },
        env: {
          DATABASE_PATH: '',
          DATABASE_URL: url,
          INSTANCE_ID: FIRST,
          RELAY_ACCOUNTS: JSON.stringify(LANES.map(keyed)),
          LEASE_TTL_MS: '2000',
          POLL_INTERVAL_MS: '200',
          IDLE_INTERVAL_MS: '500',
          SPONSORS: JSON.stringify({
            wallet: {
              key: SPONSOR_KEY,
              budgetPerDayFri: String(BUDGET),
              budgetPerNetworkFri: String(BUDGET),
            },
          }),
        },
      });
      fleet = new Fleet(stack, FIRST);
      stops.push(
        () => stack.stop(),
        () => fleet.stop(),
      );
      wallet = new PrivateWallet(stack, 'instances');
      audit = new StoreAudit(url);
      await fleet.add();
      await lanesAreShared();
    });
    afterAll(async () => {
      for (const stop of stops.toReversed()) await stop();
    });

    const lanesAreShared = (names = fleet.names): Promise<boolean> =>
      eventually('each instance to hold a relay lane', async () => {
        const held = await Promise.all(names.map((name) => audit.heldBy(name)));
        return held.every((lanes) => lanes.filter((lane) => RELAYS.has(lane)).length === 1);
      });
    const newRecipient = (): bigint => {
      cases += 1;
      return 0x7e57_0000n + BigInt(cases);
    };
    /** Proves a withdrawal. Each note is spent by one payment of another token. */
    const prove = (
      to: bigint,
      notes: readonly number[],
      isSponsored = false,
    ): Promise<PrivateRequest> => {
      const others = [USDC, tokens.WBTC.address].slice(0, notes.length - 1);
      return wallet.prover.withdraw(
        {
          payments: [
            { to, token: STRK, amount: PAYMENT },
            ...others.map((token) => ({ to, token, amount: 1n })),
          ],
          ...(isSponsored ? {} : { fee: wallet.feeOf({ token: STRK, amount: ONE }) }),
        },
        { notes },
      );
    };
    const timesPaid = async (to: bigint): Promise<number> =>
      Number((await stack.chain.balanceOf(STRK, to)) / PAYMENT);
    const inclusions = (): number =>
      LANES.flatMap((lane) => [...stack.chain.inclusions(lane)]).length;

    it('actions that both instances receive at once are one transaction', async () => {
      const relayer = BigInt(vector.relayer);
      const [earned, sent] = [await stack.chain.balanceOf(STRK, relayer), inclusions()];
      const wanted = [1, 2, 3, 4].map((note) => ({ to: newRecipient(), note }));
      for (const { to, note } of wanted) {
        const request = await prove(to, [note]);
        const answers = await Promise.all(
          [...fleet.running, ...fleet.running].map((service) => send(service, request)),
        );
        expect(answers.map(codeOf)).toEqual(answers.map(() => 'SUCCEEDED'));
        expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      }
      for (const { to } of wanted) expect(await timesPaid(to)).toBe(1);
      expect(inclusions()).toBe(sent + wanted.length);
      expect(await stack.chain.balanceOf(STRK, relayer)).toBe(earned + 4n * ONE);
    });

    it('the service accepts one of two requests that share a note and arrive at both instances at once', async () => {
      stack.chain.control.pause();
      for (const first of [10, 20, 30, 40]) {
        const [to, other] = [newRecipient(), newRecipient()];
        const shared = [first, first + 1];
        const one = await prove(to, [...shared, first + 2]);
        const two = await prove(other, [first + 3, ...shared.toReversed()]);
        const [a, b] = fleet.running;
        if (a === undefined || b === undefined) throw new Error('an instance has ended');
        const answers = await Promise.all([
          send(a, one, { prefer: 'respond-async' }),
          send(b, two, { prefer: 'respond-async' }),
        ]);
        const [left, right] = answers;
        const [accepted, rejected, loser] =
          left.status === 202 ? [left, right, two] : [right, left, one];
        expect([codeOf(accepted), codeOf(rejected)]).toEqual([
          'UNKNOWN',
          'PRIVATE_ACTIONS_IN_PROGRESS',
        ]);
        stack.chain.control.resume();
        const path = accepted.headers.get('location') ?? '';
        await fleet.submissionWhere(path, ({ state }) => state === 'succeeded');
        expect((await timesPaid(to)) + (await timesPaid(other))).toBe(1);
        for (const service of fleet.running)
          expect(codeOf(await send(service, loser))).toBe('PRIVATE_ACTIONS_APPLIED');
        stack.chain.control.pause();
      }
      stack.chain.control.resume();
    });

    it('a sponsor’s budget holds over both instances', async () => {
      const wanted: { readonly to: bigint; readonly request: PrivateRequest }[] = [];
      for (let note = 100; note < 112; note += 1) {
        const to = newRecipient();
        wanted.push({ to, request: await prove(to, [note], true) });
      }
      const answers = await Promise.all(
        wanted.flatMap(({ request }, index) =>
          // Every third request is sent to both instances.
          fleet.running
            .filter((_, instance) => index % 3 === 0 || instance === index % 2)
            .map((service) => sendSponsored(service, request)),
        ),
      );
      expect(new Set(answers.map(codeOf))).toEqual(
        new Set(['SUCCEEDED', 'SPONSOR_BUDGET_EXHAUSTED']),
      );
      const rows = await audit.query(`select cost_fri from attempts where bounds like 'sponsor=%'`);
      const costs = rows.map(({ cost_fri }) => BigInt(String(cost_fri)));
      const spent = costs.reduce((sum, cost) => sum + cost, 0n);
      const sums = await audit.query('select reserved_fri from sponsor_spending');
      expect(sums.map(({ reserved_fri }) => BigInt(String(reserved_fri)))).toEqual([spent]);
      expect(spent).toBeLessThanOrEqual(BUDGET);
      expect(spent + (costs[0] ?? 0n)).toBeGreaterThan(BUDGET);
      const paid = await Promise.all(wanted.map(({ to }) => timesPaid(to)));
      expect(paid.filter((times) => times > 0)).toEqual(costs.map(() => 1));
    });

    it('an instance finishes the actions of an instance that died after it had signed them', async () => {
      const doomed = await stack.beside({ INSTANCE_ID: 'doomed', SOTTO_FAILPOINT: 'prepared' });
      const [dying = ''] = fleet.names;
      await fleet.kill(dying);
      await lanesAreShared([...fleet.names, 'doomed']);
      const to = newRecipient();
      const request = await prove(to, [200]);
      const sent = inclusions();
      await send(doomed, request).catch(() => undefined);
      expect(await doomed.ended).toEqual({ code: null, signal: 'SIGKILL' });
      expect(inclusions()).toBe(sent);
      const [other] = fleet.running;
      if (other === undefined) throw new Error('no instance runs');
      const answer = await send(other, request);
      expect(codeOf(answer)).toBe('SUCCEEDED');
      await fleet.submissionWhere(
        answer.headers.get('location') ?? '',
        ({ state, attempt }) => state === 'succeeded' && attempt === 1,
      );
      expect(await timesPaid(to)).toBe(1);
      expect(inclusions()).toBe(sent + 1);
    });
  },
);
