import type { TestRunner } from '@sotto/kernel/testing';
import { NONCE_REFUSED, type Broadcaster } from '../ports/chain.port.js';

/** Outcome that a test sets for the next send. */
export type StagedSend =
  /** The node accepts the bytes, but the caller never gets its response. */
  | 'answer_lost'
  /** A proxy answers with an HTML page. */
  | 'html'
  /**
   * The node rejects the transaction. The maximum price is too low, the balance too small, the
   * transaction invalid, the account's check fails, or the nonce is wrong.
   */
  | 'refused_price'
  | 'refused_funds'
  | 'refused_call'
  | 'refused_account'
  | 'refused_nonce'
  /** The connection is refused. */
  | 'unreachable';

export interface BroadcasterHarness {
  readonly subject: Broadcaster;
  /**
   * Returns new bytes of a transaction, different each time. The node accepts them unless a test
   * has staged another outcome.
   */
  sign(): Promise<Uint8Array>;
  /** Stages an outcome for all transactions that are signed from now on. */
  stage(next: StagedSend): Promise<void>;
  /** Number of requests with a transaction that reached the node. */
  requests(): Promise<number>;
  stop(): Promise<void>;
}

export interface BroadcasterContractOptions {
  /**
   * True if the node recognises bytes that it has accepted before, as a node with a mempool does.
   * @default true
   */
  readonly knowsDuplicates?: boolean;
}

export function describeBroadcasterContract(
  { afterEach, beforeEach, describe, expect, it }: TestRunner,
  name: string,
  start: () => Promise<BroadcasterHarness>,
  { knowsDuplicates = true }: BroadcasterContractOptions = {},
): void {
  describe(`Broadcaster contract (${name})`, () => {
    let harness: BroadcasterHarness;
    const send = (bytes: Uint8Array) => harness.subject.send(bytes, harness.subject.nodeFor(null));
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(async () => {
      await harness.stop();
    });

    it('returns `taken` when the node accepts the signed bytes', async () => {
      expect(await send(await harness.sign())).toEqual({ kind: 'taken' });
      expect(await harness.requests()).toBe(1);
    });

    const itKnowingDuplicates = knowsDuplicates ? it : it.skip;

    itKnowingDuplicates('reports bytes that the node already has as accepted', async () => {
      const bytes = await harness.sign();
      await send(bytes);
      expect(await send(bytes)).toEqual({ kind: 'taken' });
    });

    it.each([
      ['refused_price', 'price'],
      ['refused_funds', 'funds'],
      ['refused_call', 'call'],
      ['refused_account', 'account'],
    ] as const)(
      'reports the cause of a refusal that proves that the transaction cannot land: %s',
      async (staged, cause) => {
        await harness.stage(staged);
        const bytes = await harness.sign();
        expect(await send(bytes)).toEqual({
          kind: 'refused',
          code: expect.stringMatching(/^[A-Z0-9_]+$/),
          cause,
        });
      },
    );

    it('returns `unclear` with a separate code if the node rejects the nonce', async () => {
      await harness.stage('refused_nonce');
      expect(await send(await harness.sign())).toEqual({
        kind: 'unclear',
        code: NONCE_REFUSED,
      });
    });

    it.each(['html', 'answer_lost', 'unreachable'] as const)(
      'returns `unclear` for a response that proves nothing: %s',
      async (staged) => {
        await harness.stage(staged);
        const bytes = await harness.sign();
        expect(await send(bytes)).toEqual({
          kind: 'unclear',
          code: expect.stringMatching(/^[A-Z0-9_]+$/),
        });
      },
    );

    it('makes only one request to the node for a broadcast, even if the node’s response is lost', async () => {
      await harness.stage('answer_lost');
      await send(await harness.sign());
      expect(await harness.requests()).toBe(1);
    });

    itKnowingDuplicates(
      'reports bytes that the node already has as accepted, even if its first response was lost',
      async () => {
        await harness.stage('answer_lost');
        const bytes = await harness.sign();
        expect(await send(bytes)).toMatchObject({ kind: 'unclear' });
        expect(await send(bytes)).toEqual({ kind: 'taken' });
      },
    );

    it('a broadcast of bytes that are not a transaction resolves with `unclear`', async () => {
      expect(await send(new TextEncoder().encode('no transaction'))).toMatchObject({
        kind: 'unclear',
      });
    });
  });
}
