import * as runner from '@jest/globals';
import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import {
  NodeBehind,
  boundsFor,
  type ResourceBounds,
  type SignedTransaction,
} from '@sotto/submission-core';
import {
  FakeChain,
  FakeSigner,
  FakeSnapshots,
  type ScriptedSend,
} from '@sotto/submission-core/testing';
import {
  describeAccountCheckContract,
  describeAccountHistoryContract,
  describeBroadcasterContract,
  describeChainReaderContract,
  describeNonceHistoryContract,
  describeSnapshotsContract,
  describeTransactionSignerContract,
  type SentCall,
} from '@sotto/submission-core/testing/contracts';

const ACCOUNTS = [toFelt('0xa1'), toFelt('0xa2')] as const;
const LIMITS = { l2Gas: 1_000n, l1Gas: 0n, l1DataGas: 0n, priceMultiplier: 3n };
const BOUNDS: ResourceBounds = boundsFor(LIMITS, {
  l2GasFri: 10_000_000_000n,
  l1GasFri: 1n,
  l1DataGasFri: 1n,
});

/** Signs and sends calls of the accounts one after another. */
class Sender {
  readonly #signer = new FakeSigner(ACCOUNTS);
  readonly #nonces = new Map<Felt, bigint>();

  constructor(private readonly chain: FakeChain) {}

  async sign(account: Felt): Promise<SentCall & { bytes: Uint8Array }> {
    const nonce = this.#nextNonce(account);
    const call = await this.#signer.hashCall(
      { to: toFelt('0x1'), entrypoint: 'withdraw' },
      Felts.of([nonce]),
    );
    return {
      ...(await this.#signer.signCall(call, { account, nonce, bounds: BOUNDS })),
      nonce,
      ...call,
    };
  }

  async signNoop(account: Felt): Promise<SignedTransaction> {
    return this.#signer.signNoop({ account, nonce: this.#nextNonce(account), bounds: BOUNDS });
  }

  #nextNonce(account: Felt): bigint {
    const nonce = this.#nonces.get(account) ?? 0n;
    this.#nonces.set(account, nonce + 1n);
    return nonce;
  }

  async send(account: Felt): Promise<Felt> {
    const { hash, bytes } = await this.sign(account);
    await this.chain.send(bytes);
    return hash;
  }
}

const stop = async (): Promise<void> => {};

function unclear(code: string, arrives: boolean): ScriptedSend {
  return { answer: { kind: 'unclear', code }, arrives };
}

describeBroadcasterContract(runner, 'fake', async () => {
  const chain = new FakeChain();
  const sender = new Sender(chain);
  return {
    subject: chain,
    sign: async () => (await sender.sign(ACCOUNTS[0])).bytes,
    stage: async (next) => {
      switch (next) {
        case 'answer_lost':
          return chain.script(unclear('UPSTREAM_TIMED_OUT', true));
        case 'html':
          return chain.script(unclear('UPSTREAM_MALFORMED', false));
        case 'unreachable':
          return chain.script(unclear('UPSTREAM_UNREACHABLE', false));
        case 'refused_price':
          return chain.setGasPrices({ l2GasFri: 10n ** 15n });
        case 'refused_funds':
          return chain.setBalance(ACCOUNTS[0], 1n);
        case 'refused_call':
          return chain.script({
            answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' },
            arrives: false,
          });
        case 'refused_account':
          return chain.accountProblem(ACCOUNTS[0], 'WRONG_KEY');
        case 'refused_nonce':
          return chain.setNonce(ACCOUNTS[0], 50n);
      }
    },
    requests: async () => chain.sent.length,
    stop,
  };
});

describeChainReaderContract(runner, 'fake', async () => {
  const chain = new FakeChain();
  const sender = new Sender(chain);
  const executions = new Map<Felt, 'SUCCEEDED' | 'REVERTED'>();
  const how = (hash: Felt): { execution: 'SUCCEEDED' | 'REVERTED' } => ({
    execution: executions.get(hash) ?? 'SUCCEEDED',
  });
  return {
    subject: chain,
    accounts: ACCOUNTS,
    send: async (account, execution) => {
      const hash = await sender.send(account);
      executions.set(hash, execution);
      return hash;
    },
    preConfirm: async (hash) => chain.preConfirm(hash, how(hash)),
    accept: async (hash) => chain.include(hash, how(hash)),
    chainId: toFelt('0x534e5f54455354'),
    rollback: async () => chain.rollback((await chain.head([])).blockNumber - 1),
    acceptOnL1: async () => chain.acceptOnL1((await chain.head([])).blockNumber),
    makeUnreadable: async (what) => chain.unreadable(what),
    setGasPrices: async (prices) => chain.setGasPrices(prices),
    breakDown: async () => chain.failReads(),
    stop,
  };
});

describeNonceHistoryContract(runner, 'fake', async () => {
  const chain = new FakeChain();
  const sender = new Sender(chain);
  return {
    subject: chain,
    accounts: ACCOUNTS,
    send: async (account) => sender.send(account),
    preConfirm: async (hash) => chain.preConfirm(hash),
    accept: async (hashes) => {
      for (const hash of hashes) chain.include(hash);
    },
    breakDown: async () => chain.failReads(),
    stop,
  };
});

describeAccountHistoryContract(runner, 'fake', async () => {
  let nowSeconds = 1_700_000_000;
  const chain = new FakeChain({ nowSeconds: () => nowSeconds });
  const sender = new Sender(chain);
  return {
    subject: chain,
    reader: chain,
    accounts: ACCOUNTS,
    include: async (account, execution) => {
      const sent = await sender.sign(account);
      await chain.send(sent.bytes);
      chain.include(sent.hash, { execution });
      return sent;
    },
    includeNoop: async (account) => {
      const { hash, bytes } = await sender.signNoop(account);
      await chain.send(bytes);
      chain.include(hash);
      return hash;
    },
    preConfirm: async (account) => {
      const hash = await sender.send(account);
      chain.preConfirm(hash);
      return hash;
    },
    rollback: async () => chain.rollback((await chain.head([])).blockNumber - 1),
    passTime: async (seconds) => {
      nowSeconds += seconds;
    },
    breakDown: async () => chain.failReads(),
    stop,
  };
});

describeAccountCheckContract(runner, 'fake', async () => {
  const chain = new FakeChain();
  const broken = {
    NOT_DEPLOYED: toFelt('0xb1'),
    NO_ACCOUNT_CLASS: toFelt('0xb2'),
    WRONG_KEY: toFelt('0xb3'),
  } as const;
  for (const problem of ['NOT_DEPLOYED', 'NO_ACCOUNT_CLASS', 'WRONG_KEY'] as const)
    chain.accountProblem(broken[problem], problem);
  return {
    subject: chain,
    sound: ACCOUNTS[0],
    broken,
    breakDown: async () => chain.failReads(),
    stop,
  };
});

describeTransactionSignerContract(runner, 'fake', async () => ({
  subject: new FakeSigner(ACCOUNTS),
  accounts: ACCOUNTS,
  unknownAccount: toFelt('0xbad'),
  stop,
}));

describeSnapshotsContract(runner, 'fake', async () => {
  const subject = new FakeSnapshots();
  return {
    subject,
    mine: async () => subject.mine(),
    rollback: async () => subject.rollback(1),
    breakDown: async () => subject.failReads(),
    stop,
  };
});

describe('FakeSnapshots', () => {
  it('FakeSnapshots simulates a node that lags behind the chain', async () => {
    const subject = new FakeSnapshots();
    const early = subject.mine();
    const late = subject.mine(20);
    subject.lag(20);
    expect(await subject.latest(early)).toEqual(early);
    await expect(subject.latest(late)).rejects.toBeInstanceOf(NodeBehind);
    subject.lag(0);
    expect(await subject.latest(late)).toEqual(late);
  });
});
