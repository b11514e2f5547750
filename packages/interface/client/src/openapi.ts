// Generated from docs/reference/openapi.json: pnpm --filter @sotto/client run types:write

export interface paths {
  '/api/relayer/withdraw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Relay a withdrawal proof to a shielded pool
     * @description Takes proofs of every pool that is served, the swap pool among them: a note that a private swap left is a batch of 1 there, and pays its fee in its own token. Checks the proof, puts it on chain exactly once and waits for the outcome. The same request again gets the same submission and the same answer. After one that ended without success it is a new attempt. With `dryRun=true` it only runs the checks and reports each, at no cost.
     */
    post: operations['submitWithdrawal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/private-swap': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Withdraw from a WBTC pool and swap into another token
     * @description The proof’s recipient is the swap pool: it swaps the payout through the aggregator and keeps the output for the new commitment. A quote too far below the swap’s fair value by two independent prices is refused, and nothing below the floor (`minAmountOut`, else that value less the largest impact) is ever sent. The same request again gets the same submission. On chain REVERTED, and every failure before, carry `leafIndex: -1`. The proof does not bind the new commitment, so operator and node are trusted with the swap. Before anything shows the proof, the note is pinned to commitment, token and floor: later swaps of it have these, whatever slippage they name, and other terms are `SWAP_PINNED` for ever. A swap that reverts because its price has moved is tried again by the service, at most twice: UNKNOWN until the last try has ended. With `dryRun=true` it only runs the checks up to the fair value: nothing is pinned, and the simulation, which would show the proof, is left out. A plain withdrawal of the note, with another proof, stays open once no swap of it is on its way.
     */
    post: operations['privateSwap'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/deposit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Relay a deposit into a shielded pool
     * @description Only a pool’s relayers may deposit, and a pool asks no depositor: with the signature the depositor agrees to pay for this very note. Checks the consent with the depositor’s account, puts the deposit on chain exactly once and waits for the outcome. The same commitment and depositor again get the same submission and the same answer. Deposits are rationed, because each changes its pool for everybody.
     */
    post: operations['relayDeposit'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/deploy-batch': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move waiting deposits of a pool into its vault
     * @description One deployment of a pool is on its way at a time: an equal call gets the answer of the one in flight, another waits its turn. A count that the pool can’t deploy is refused before any gas is spent.
     */
    post: operations['deployBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/pools': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The pools that this relayer serves
     * @description What a wallet needs to know to make a proof. Returns what is configured even while the chain can’t be read.
     */
    get: operations['listPools'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/pool-status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a pool says of itself
     * @description All of it from one block, the crowd apart. When any of it can’t be read the answer is an error, never a 0. The swap pool, whose notes hold different amounts, is in `GET /api/relayer/pools`.
     */
    get: operations['getPoolStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/fee-estimate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a withdrawal costs now
     * @description From live gas and market prices; when one of them is not known, too old or disagreed on, the answer is an error, never a guess. With `pool` the fee is in that pool’s token and capped at its maximum. For the swap pool it is in the token of the note in `leafIndex`, and only of its withdrawal: the swap has paid for itself. `feeAmount`, `feeToken` and `maxFeeAmount` are exact, `feeSats` is its value.
     */
    get: operations['estimateFee'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/quote': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get a fee that binds the relayer
     * @description A withdrawal or, if it was asked for that, a private swap from this pool that cites the quote is admitted at its fee until it expires, whatever prices do. It serves one note, in the swap pool the one in `leafIndex`. The signature is over SNIP-12 typed data, so that it can be verified without asking anybody.
     */
    post: operations['issueQuote'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/submissions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** What became of a withdrawal, deposit, batch, private swap or vault deployment */
    get: operations['getSubmission'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/relayer/submissions/lookup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * What became of a note, asked with a proof of it
     * @description For a caller that has lost the `Location`. Any proof of the note does, at whatever root and on whatever terms, whether the note was withdrawn or swapped; it need not be one that was sent. Nothing is sent. Once a proof stands on chain it is public, so anybody may ask with it, and hears what the chain shows and the submission’s id.
     */
    post: operations['lookUpSubmission'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/staking': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Yields of the supported lending pools
     * @description Read in the background and answered from memory: a source’s last values stay valid for a while when it is slow or down. Values that are too old are not returned. The figures of all pools are of one block.
     */
    get: operations['listStakingPools'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/curator': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Deploy a vault’s idle WBTC to its strategy
     * @description Reads what lies idle in the vault, runs its deployment method and waits for the outcome. One deployment of a vault is on its way at a time: calls in the meantime get its answer. One whose outcome is not known is never repeated. A failure carries what went wrong in `error`.
     */
    post: operations['deployIdleFunds'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/bridge/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How far a bridge transfer has come
     * @description A step never goes backwards, and its time never changes once it is reported; an instance may be two seconds behind another. Poll it until `status` is completed or a step has failed.
     */
    get: operations['getBridgeStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/bridge/quote': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Terms of a transfer to or from Starknet
     * @description Any listed token to STRK on Starknet, or STRK on Starknet to any listed token. A dry run estimates. Otherwise send exactly the quoted amount to `deposit_address` and follow the transfer by its `transaction_id`. An address to which nothing is sent costs nothing.
     */
    post: operations['quoteBridgeTransfer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/bridge/routes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What may be bridged
     * @description Whether a solver carries a transfer now depends on its liquidity: only a quote shows it.
     */
    get: operations['listBridgeRoutes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operator/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How accounts, pools and money stand
     * @description Lanes, attention and load are those of the instance that answers; pools and money are of all.
     */
    get: operations['getOperatorStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operator/pools/{pool}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin nothing in a pool any more
     * @description Withdrawals, swaps, batches and quotes of the pool are refused with `POOL_PAUSED` by every instance, over restarts, until it is resumed. What was accepted before goes on.
     */
    post: operations['pausePool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operator/pools/{pool}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let a pool begin again
     * @description Ends the operator’s pause and every run of failures: the count starts again at 0. A pause by PAUSED_POOLS stays, as do budgets: the reply shows the state of the pool.
     */
    post: operations['resumePool'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operator/lanes/{lane}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an account nothing new any more
     * @description The account takes no call, in no instance and over restarts, until it is resumed. What it has in flight is followed, sent again and settled.
     */
    post: operations['pauseLane'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operator/lanes/{lane}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Let an account take calls again
     * @description Ends a pause: an operator’s, and one that a transaction has brought that this service did not send. Make sure first that nothing else has the key.
     */
    post: operations['resumeLane'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the service takes now, and how well it has done
     * @description Signed by a relay account, so that it can be passed on: the message is SNIP-12 typed data (revision 1, domain Sotto 1) of the type `ServiceStatus(issued_at: timestamp, digest: u256)`, where the digest is SHA-256 of the JSON of `status` without spaces and with sorted names (RFC 8785). It contains no balances and no counts: figures are rounded, change every ten minutes only, and are left out where few stand behind them.
     */
    get: operations['getStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the process answers at all */
    get: operations['getLiveness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether withdrawals can be taken now
     * @description The store answers, the node answers with the right chain id, the ledger lacks nothing of its chain, at least one lane can pay, the proof verifier is warm, the pools’ verifiers are those of the profile and of the verification key where these name them, and the service is not stopping.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * This document
     * @description `GET /docs` shows it as a page.
     */
    get: operations['getOpenApi'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    WithdrawRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /** @description Garaga calldata of the withdrawal proof, with or without its leading length: 2,019 or 2,020 felts. */
      calldata: components['schemas']['Felt252'][];
      /**
       * @description The note of the swap pool that the proof spends. The proof names it as the start of a batch of 1, so it may be left out; another one is refused.
       * @example 12
       */
      leafIndex?: number;
      /** @description A quote for this pool: the proof’s fee is then judged by it and not by present prices. It serves one withdrawal. */
      quoteId?: string;
    };
    /**
     * @description Field element below 2^251 + 17·2^192 + 1: 0x hex (any case, leading zeros) or decimal.
     * @example 0x1a2b
     */
    Felt252: string;
    PrivateSwapRequest: {
      /** @description Address of a pool that this relayer serves, of the kind `swap_input`. */
      wbtcPool: components['schemas']['Felt252'];
      /** @description Garaga calldata of the withdrawal proof, with or without its leading length: 2,019 or 2,020 felts. */
      proofCalldata: components['schemas']['Felt252'][];
      /**
       * @description Commitment of the note that the output stands for: below the order of BN254’s scalar field, hex or decimal.
       * @example 0x2a1f5c
       */
      newCommitment: string;
      /** @description Address of the token to swap into, one of those in `GET /api/relayer/pools`. */
      outputToken: components['schemas']['Felt252'];
      /**
       * @description Largest tolerance as a fraction (0.02 = 2 %): at least `minSlippage` of `GET /api/relayer/pools`, at most 0.15.
       * @default 0.01
       * @example 0.01
       */
      slippage?: number;
      /**
       * @description Least that may come out, in the output token’s smallest unit, hex or decimal. Without it, the fair value by two independent prices less `maxPriceImpact` of `GET /api/relayer/pools`.
       * @example 5400000000000000
       */
      minAmountOut?: string;
      /** @description A quote for a private swap from this pool: the proof’s fee is then judged by it and not by present prices. It serves one note. */
      quoteId?: string;
    };
    DepositRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /** @description Commitment of the note that the deposit makes: above 0 and below the order of the circuit’s field. */
      commitment: string;
      /** @description The account that pays the pool’s denomination, and has approved the pool for it. */
      depositor: components['schemas']['Felt252'];
      /** @description Unix time in seconds from which on the consent holds no more: at most an hour ahead. */
      expiresAt: number;
      /** @description The depositor’s SNIP-12 signature, revision 1, over `Deposit { pool, token, denomination, commitment, expires_at }` of the domain `Sotto`, version 1. */
      signature: components['schemas']['Felt252'][];
    };
    DeployBatchRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /** @description Deposits to deploy: 3, 5 or 7 (what the pool takes, see `GET /api/relayer/pools`); with `partial` any from 1. At most the undeployed ones. */
      count: number;
      /**
       * @description true: a batch of any size, at the price of privacy, because fewer deposits hide one another. Where the service says so, only all deposits that wait, once each has aged, or only by the operator.
       * @default false
       */
      partial?: boolean;
    };
    QuoteRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /**
       * @description Leaf of a note in the swap pool, as its private swap returned it: required for that pool, refused for the others.
       * @example 12
       */
      leafIndex?: number;
      /**
       * @description What the fee is for. A private swap starts from pools of the kind `swap_input` and costs more gas than a withdrawal.
       * @default withdraw
       * @enum {string}
       */
      operation?: 'withdraw' | 'private_swap';
      /** @description First leaf of the batch that the proof will name: with it, the answer has `crowd`. Anybody can read it from the proof. */
      batchStart?: number;
    };
    LookUpRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /** @description Garaga calldata of the withdrawal proof, with or without its leading length: 2,019 or 2,020 felts. */
      calldata: components['schemas']['Felt252'][];
    };
    CuratorRequest: {
      /**
       * @description One of `sentinel`, `citadel`, `trident`, `delta_neutral`, `turbo` and `apex`.
       * @example sentinel
       */
      vaultId: string;
    };
    BridgeQuoteRequest: {
      /** @description Lower-case name of the chain; `starknet` for the one that this service is on. */
      from_chain: string;
      /** @description Symbol of a token that `GET /api/bridge/routes` lists for the chain. */
      from_token: string;
      /** @description Lower-case name of the chain; `starknet` for the one that this service is on. */
      to_chain: string;
      /** @description Symbol of a token that `GET /api/bridge/routes` lists for the chain. */
      to_token: string;
      /**
       * @description Decimal digits, in the source token’s smallest unit.
       * @example 100000000
       */
      amount: string;
      /** @description true: an estimate. false: an address to send the funds to. */
      dry_run: boolean;
      /** @description Address on the destination chain. Needed unless it is a dry run. */
      recipient?: string;
      /** @description Address on the source chain that gets the funds back if the transfer fails. Some bridge protocols need it unless it is a dry run. */
      refund_to?: string;
    };
    PauseRequest: {
      /** @description Shown to the public on `/status` and to each caller that is refused. */
      reason: string;
    };
    PauseLaneRequest: {
      /** @description Shown to operators. */
      reason: string;
    };
    TransactionResult: {
      /**
       * @description Hash of the transaction; `0x0` while none is signed yet.
       * @example 0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0
       */
      transaction_hash: string;
      /**
       * @description UNKNOWN: the outcome is not known yet. The submission resource named in `Location` returns it later; do not assume failure.
       * @enum {string}
       */
      execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
      /** @description The contract's reason when REVERTED, else null. */
      revert_reason: string | null;
    };
    DryRunReport: {
      /** @description True when every check passed, but for the simulation of a private swap, which is left out: the same request, sent now, would be accepted. */
      admissible: boolean;
      /** @description Every check of the admission, in order. */
      checks: components['schemas']['RungReport'][];
      /** @description What the withdrawal hides in. Left out where the request can’t be read. */
      crowd?: {
        /** @description Deposits in the batch that the proof names: the withdrawal is one of theirs, and anybody can see that. */
        batchSize: number;
        /** @description SMALL_CROWD: the batch is smaller than this relayer calls private. It is no refusal. */
        warning: 'SMALL_CROWD' | null;
      };
    };
    RungReport: {
      /** @description Name of the check. */
      check: string;
      /** @description Error code of a withdrawal that fails here. */
      code: string;
      /**
       * @description skipped: what the check looks at is not known, because an earlier check failed or a read did; with SWAP_NOT_PINNED in `detail`, because looking would show the proof of a swap.
       * @enum {string}
       */
      status: 'passed' | 'failed' | 'skipped';
      /** @description Why it failed, or the code of what kept it from being judged. */
      detail?: string;
      details?: {
        [key: string]: string | number | boolean;
      };
    };
    Error: {
      /** @description What went wrong, for people. */
      error: string;
      /**
       * @description Stable code, for programs; docs/reference/errors.md lists them.
       * @example POOL_NOT_SUPPORTED
       */
      code: string;
      /** @description Also in the X-Request-Id header. */
      requestId: string;
      details?: {
        [key: string]: unknown;
      };
    };
    PrivateSwapResult: {
      /**
       * @description Hash of the transaction; `0x0` while none is signed yet.
       * @example 0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0
       */
      transaction_hash: string;
      /**
       * @description UNKNOWN: the outcome is not known yet. The submission resource named in `Location` returns it later; do not assume failure.
       * @enum {string}
       */
      execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
      /** @description The contract's reason when REVERTED, else null. */
      revert_reason: string | null;
      /** @description Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 when the swap failed. Left out while the outcome is UNKNOWN. */
      leafIndex?: number;
      /** @description Private swaps only: what the new note is worth, in hex, in the output token’s smallest unit; `0x0` when the swap failed. Left out while the outcome is UNKNOWN. */
      outputAmount?: string;
      /** @description The tolerance that is in force, as a fraction of the quote: what was asked for, or less where that would have gone below the floor. Left out where an earlier request sent the swap. */
      slippage?: number;
      /** @description Least that may ever come out, in the output token’s smallest unit: `minAmountOut`, else the fair value less the largest price impact. The first swap of a note pins it: later ones have the same, whatever they name. */
      floor?: string;
    };
    PrivateSwapError: {
      /** @description What went wrong, for people. */
      error: string;
      /**
       * @description Stable code, for programs; docs/reference/errors.md lists them.
       * @example POOL_NOT_SUPPORTED
       */
      code: string;
      /** @description Also in the X-Request-Id header. */
      requestId: string;
      details?: {
        [key: string]: unknown;
      };
      /** @constant */
      leafIndex: -1;
    };
    DepositResult: {
      /**
       * @description Hash of the transaction; `0x0` while none is signed yet.
       * @example 0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0
       */
      transaction_hash: string;
      /**
       * @description UNKNOWN: the outcome is not known yet. The submission resource named in `Location` returns it later; do not assume failure.
       * @enum {string}
       */
      execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
      /** @description The contract's reason when REVERTED, else null. */
      revert_reason: string | null;
      /** @description Leaf of the commitment in the pool’s tree; -1 when the deposit failed. Left out while the outcome is UNKNOWN. */
      leafIndex?: number;
      /** @description Deposits only: the batch that the deposit completed; null while it waits for one. */
      batch?: {
        id: number;
        /** @description Leaf of its first deposit. */
        start: number;
        size: number;
      } | null;
    };
    Pools: {
      chainId: string;
      /** @description The address that a proof must name as its relayer. */
      relayer: string;
      pools: components['schemas']['Pool'][];
      /** @description The pool that private swaps leave their notes in: it has no denomination, so `pools` does not contain it. Null without a swap pool. */
      swapOutputs: components['schemas']['SwapOutputs'] | null;
      /** @description Null when this relayer does not swap. */
      privateSwap: {
        /** @description The address that the proof of a private swap must name as its recipient. */
        swapPool: string;
        /** @description Tokens to swap into: those that have two independent prices. */
        outputTokens: {
          symbol: string;
          address: string;
          decimals: number;
        }[];
        defaultSlippage: number;
        minSlippage: number;
        maxSlippage: number;
        /** @description How far a swap may fall short of its fair value, as a fraction. */
        maxPriceImpact: number;
      } | null;
    };
    Pool: {
      /** @description Its name in the relayer’s profile. */
      key: string;
      address: string;
      /**
       * @description What is done with its notes: private swaps start from swap_input only, and all may be withdrawn.
       * @enum {string}
       */
      kind: 'withdraw' | 'swap_input' | 'stable';
      token: {
        symbol: string;
        address: string;
        decimals: number;
      };
      /** @description Counts that a batch may have unless it is partial. */
      batchSizes: number[];
      /** @description Fixed deposit size: sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor. Null while it can’t be read. */
      denomination: string | null;
      /** @description The same in the token’s smallest unit. Null while it can’t be read. */
      denominationAmount: string | null;
      /** @description Deposits that wait for their batch. Null while it can’t be read. */
      undeployedCount: number | null;
      /** @description Deposits that its tree still takes, for ever; relayed ones end before the last. Null while it can’t be read. */
      leavesLeft: number | null;
      /** @description Null while it can’t be read. */
      maxFeeBps: number | null;
      /** @description Most that a relayer may take, in the token’s smallest unit. Null while it can’t be read. */
      maxFee: string | null;
      /** @description Fee to put into a proof now, in the token’s smallest unit. Null while prices or the pool can’t be read. */
      fee: string | null;
      /** @description Whether withdrawals begin in it now. Null while it can’t be read. */
      accepting: boolean | null;
      pausedFor:
        ('operator' | 'configuration' | 'reverts' | 'losses' | 'upstream' | 'budget') | null;
      /** @description Given by the operator who paused it. */
      reason: string | null;
    };
    SwapOutputs: {
      key: string;
      address: string;
      /**
       * @description Its notes hold what a swap brought, and are withdrawn.
       * @constant
       */
      kind: 'swap_output';
      /** @description What its notes may hold, and their fees be paid in. */
      tokens: {
        symbol: string;
        address: string;
        decimals: number;
      }[];
      /** @description Notes that have not been withdrawn. Null while it can’t be read. */
      activeDeposits: number | null;
      /** @description Private swaps ever made. Null while it can’t be read. */
      totalSwaps: number | null;
      /** @description Leaf of the next note. Null while it can’t be read. */
      nextIndex: number | null;
      /** @description Most that a relayer may take of a note, in hundredths of a percent. Null while it can’t be read. */
      maxFeeBps: number | null;
      /** @description Whether withdrawals begin in it now. Null while it can’t be read. */
      accepting: boolean | null;
      pausedFor:
        ('operator' | 'configuration' | 'reverts' | 'losses' | 'upstream' | 'budget') | null;
      /** @description Given by the operator who paused it. */
      reason: string | null;
    };
    PoolStatus: {
      /** @description Fixed deposit size: sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor. */
      denomination: string;
      /** @description Deposits that wait for their batch. */
      undeployedCount: number;
      /** @description Deposits deployed in the vault now. */
      activeDeposits: number;
      /** @description Deposits ever made. */
      totalDeposits: number;
      /** @description WBTC or USDC in the pool and its vault, yield included: in the token’s smallest unit (sats, or USDC with 6 decimals). */
      totalAssets: string;
      /** @description Most that a relayer may take, in hundredths of a percent. */
      maxFeeBps: number;
      /** @description Most that a relayer may take from one withdrawal: in the token’s smallest unit, sats for WBTC pools. */
      maxFee: string;
      /** @description Leaf of the next deposit. */
      nextIndex: number;
      /** @description What withdrawals hide in. Null while the pool’s events can’t be read. */
      crowd: {
        /** @description How long the oldest deposit has waited for its batch. Null when none waits. */
        oldestWaitingSeconds: number | null;
        /** @description Deposits in the batch that was deployed last. Null before the first batch. */
        lastBatchSize: number | null;
        /** @description Deposits in the smallest batch ever: the least that a withdrawal from this pool hides in. Null before the first batch. */
        smallestBatchSize: number | null;
      } | null;
    };
    FeeEstimate: {
      /** @description Fee to put into a proof, with a margin of 20 % and at most what the pool allows. In sats; for a stablecoin pool in the smallest unit of its token; for a note of the swap pool what the fee is worth in sats, rounded up. */
      feeSats: number;
      /** @description The same fee in the smallest unit of `feeToken`, as text: wei are more than a JSON number holds. */
      feeAmount: string;
      /** @description Address of the token that the fee is paid in. */
      feeToken: string;
      /** @description What the cycle of deposit, batch and withdrawal costs. */
      feeBreakdown: {
        /** @description Gas of the deposit, in STRK. */
        depositGasStrk: number;
        /** @description One deposit’s share of its batch, in STRK. */
        deployBatchGasStrk: number;
        /** @description Gas of the withdrawal, in STRK. */
        withdrawGasStrk: number;
        /** @description All of these, in STRK. */
        totalGasStrk: number;
        /** @description All of these, in USD. */
        totalGasUsd: number;
        /** @description Margin on top of the cost, in percent. */
        marginPercent: number;
      };
      gasPrices: {
        /** @description Price of one unit of L2 gas, in fri. */
        l2GasPriceFri: string;
        /** @description Price of one unit of L1 data gas, in fri. */
        l1DataGasPriceFri: string;
      };
      /** @description The gas that `withdrawGasStrk` is made of. Without `pool`, of the pool whose withdrawals use most. */
      withdrawGas: {
        /** @description L2 gas that the withdrawal is taken to use. */
        l2Gas: number;
        /** @description Its L1 data gas. */
        l1DataGas: number;
        /**
         * @description How that is known: `receipts` of succeeded withdrawals from the pool (nine in ten used no more), or a figure of the network `profile` before the first.
         * @enum {string}
         */
        source: 'profile' | 'receipts';
        /** @description How many receipts say so; at most the newest hundred are kept. */
        receipts: number;
        /** @description Age of the newest receipt; null without one. */
        ageSeconds: number | null;
      };
      prices: {
        /** @description One STRK in USD. */
        strkUsd: number;
        /** @description One BTC in USD. */
        btcUsd: number;
      };
      /** @description The maximum fee, in the unit of `feeSats` (of a swap pool’s note rounded down). Only with `pool`. */
      maxFeeSats?: number;
      /** @description The pool’s maximum fee, in the unit of `feeAmount`. Only with `pool`. */
      maxFeeAmount?: string;
      /** @description The pool’s deposit size: sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor. Only with `pool`, and not for the swap pool, which has none. */
      denomination?: number;
    };
    Quote: {
      /** @description To cite in the withdrawal. */
      quoteId: string;
      chainId: string;
      pool: string;
      /** @description The address that the proof must name as its relayer. */
      relayer: string;
      /**
       * @description What the quote serves.
       * @enum {string}
       */
      operation: 'withdraw' | 'private_swap';
      /** @description The note of the swap pool whose withdrawal it serves. Only for that pool. */
      leafIndex?: number;
      /** @description The fee to put into the proof, in the smallest unit of `feeToken`. */
      fee: string;
      /** @description As `fee`. */
      feeAmount: string;
      /** @description Address of the token that the fee is paid in. */
      feeToken: string;
      /** @description The most that the pool allows, in the unit of `feeAmount`. */
      maxFeeAmount: string;
      /** @description Unix time in seconds from which on the quote binds no more. */
      expiresAt: number;
      /** @description The account whose key signed the typed data. */
      signer: string;
      /** @description r and s. */
      signature: [string, string];
      typedData: components['schemas']['FeeQuoteTypedData'];
      /** @description The batch that begins at `batchStart`. Null when none does or it can’t be read now; left out where it was not asked for. */
      crowd?: {
        /** @description Deposits in the batch that the proof names: the withdrawal is one of theirs, and anybody can see that. */
        batchSize: number;
        /** @description SMALL_CROWD: the batch is smaller than this relayer calls private. It is no refusal. */
        warning: 'SMALL_CROWD' | null;
      } | null;
      /** @description What the fee is made of. */
      estimate: components['schemas']['FeeEstimate'];
    };
    /** @description What was signed. Make it from the other fields when you verify: then nothing else can have been signed. */
    FeeQuoteTypedData: {
      types: {
        StarknetDomain: {
          name: string;
          type: string;
        }[];
        FeeQuote: {
          name: string;
          type: string;
        }[];
      };
      /** @constant */
      primaryType: 'FeeQuote';
      domain: {
        name: string;
        version: string;
        chainId: string;
        revision: string;
      };
      message: {
        id: string;
        pool: string;
        relayer: string;
        fee: {
          low: string;
          high: string;
        };
        expires_at: string;
      };
    };
    Submission: {
      id: string;
      /** @description Attempts of one note are numbered from 1. */
      attempt: number;
      /**
       * @description The first two are under way. refused and expired: nothing of it is or can be on chain, `code` says why.
       * @enum {string}
       */
      state: 'accepted' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';
      /** @description Null while no transaction is signed, and when nothing is on chain. */
      transaction_hash: string | null;
      /** @description Null when refused or expired. */
      execution_status: ('SUCCEEDED' | 'REVERTED' | 'UNKNOWN') | null;
      revert_reason: string | null;
      /** @description How final the execution status is: PRE_CONFIRMED is often undone, ACCEPTED_ON_L2 hardly ever, ACCEPTED_ON_L1 never. Null without one. */
      finality: ('PRE_CONFIRMED' | 'ACCEPTED_ON_L2' | 'ACCEPTED_ON_L1') | null;
      /** @description The outcome that was reported at ACCEPTED_ON_L2 and undone by a rollback of the chain; usually null. The other fields say what is true now. */
      reorged: {
        transaction_hash: string;
        /** @enum {string} */
        execution_status: 'SUCCEEDED' | 'REVERTED';
      } | null;
      /** @description Why it was refused or expired, else null. */
      code: string | null;
      /** @description Private swaps and deposits only: leaf of the new commitment in the pool’s tree; -1 when it failed. Left out while the outcome is UNKNOWN. */
      leafIndex?: number;
      /** @description Private swaps only: what the new note is worth, in hex, in the output token’s smallest unit; `0x0` when the swap failed. Left out while the outcome is UNKNOWN. */
      outputAmount?: string;
      /** @description Deposits only: the batch that the deposit completed; null while it waits for one. */
      batch?: {
        id: number;
        /** @description Leaf of its first deposit. */
        start: number;
        size: number;
      } | null;
    };
    StakingPools: components['schemas']['StakingPool'][];
    StakingPool: {
      /** @description Identifies the pool: `prime` or `partner-xbtc`. */
      slug: string;
      /** @description For people. */
      name: string;
      /** @description Address of the lending pool’s contract. */
      poolId: string;
      /** @description What borrowers’ interest earns suppliers in a year, in percent. */
      supplyApy: number;
      /** @description What the reward programme adds in a year, in percent; 0 while it was never known. */
      btcFiApr: number;
      /** @description `supplyApy` and `btcFiApr` together, in percent. */
      totalApy: number;
      /** @description The part of the supply that is lent. */
      utilization: number;
      /** @description What the supply is worth, in USD. */
      tvlUsd: number;
      /** @description WBTC supplied, in BTC, not in sats. */
      totalSupplied: number;
      /** @description One BTC in USD. */
      btcPrice: number;
      /** @description What borrowers pay in a year, in percent. */
      borrowApr: number;
      /** @description Symbol of the share token of WBTC in this pool. */
      vaultTokenSymbol: string;
      /** @description `level` 1 is the lowest of 5. */
      risk: {
        label: string;
        level: number;
      };
    };
    CuratorResult: {
      /**
       * @description no_idle_funds: there was nothing to deploy, and nothing was sent.
       * @enum {string}
       */
      status: 'deployed' | 'no_idle_funds';
      /** @description Hash of the deployment; only when deployed. */
      tx?: string;
      /** @description WBTC deployed, in sats; only when deployed. */
      amount?: string;
    };
    BridgeStatus: {
      /**
       * @description completed: the recipient has the funds. A transfer with a failed step never gets there.
       * @enum {string}
       */
      status: 'processing' | 'completed';
      /** @description All steps, in the order in which they run. */
      steps: components['schemas']['BridgeStep'][];
      /**
       * @description Only when a step has failed: the funds go back to the source chain by themselves, within 1 to 24 hours, without the gas.
       * @enum {string}
       */
      refund?: 'expected' | 'refunded';
      /**
       * @description What arrived, in whole tokens and in the bridge’s own words; only of a completed transfer, where the bridge reports it.
       * @example 831.2 STRK
       */
      output_amount?: string;
    };
    BridgeStep: {
      /** @enum {string} */
      step:
        | 'deposit_detected'
        | 'swap_source_token'
        | 'bridge_to_destination'
        | 'swap_destination_token'
        | 'send_to_recipient';
      /** @enum {string} */
      status: 'pending' | 'processing' | 'completed' | 'failed';
      /** @description Unix time in seconds; null until the step completes. */
      timestamp: number | null;
      /** @description Where it is known. */
      tx_hash?: string;
    };
    BridgeQuote: {
      /** @description For `GET /api/bridge/status`. Not with a dry run. */
      transaction_id?: string;
      /** @description Address on the source chain that must receive exactly the quoted token and amount. Not with a dry run. */
      deposit_address?: string;
      /** @description Must go with the deposit; only where the chain needs one. */
      deposit_memo?: string;
      /** @description Unix time in seconds after which nothing may be sent any more, where it is known. */
      deposit_deadline?: number;
      /**
       * @description In whole tokens, with the unit.
       * @example 1250.5 STRK
       */
      estimated_output: string;
      /** @description The same in the destination token’s smallest unit. */
      estimated_output_amount: string;
      /** @description How long the transfer usually takes, where it is known. */
      estimated_seconds?: number;
      route: {
        /** @enum {string} */
        step: 'swap' | 'bridge';
        from: string;
        to: string;
        /** @description Of swaps. */
        dex?: string;
      }[];
      /** @description With their units, as far as the bridge protocol reports them. */
      fees: {
        bridge_fee?: string;
        gas_estimate?: string;
        swap_fees?: string;
      };
    };
    BridgeRoutes: {
      routes: components['schemas']['BridgeRoute'][];
    };
    BridgeRoute: {
      /**
       * @description in: to Starknet. out: from Starknet.
       * @enum {string}
       */
      direction: 'in' | 'out';
      from: components['schemas']['BridgeEnd'];
      to: components['schemas']['BridgeEnd'];
    };
    BridgeEnd: {
      chain: string;
      token: string;
      /** @description One token is 1 followed by so many zeros of its smallest unit. */
      decimals: number;
    };
    OperatorStatus: {
      lanes: components['schemas']['OperatedLane'][];
      ledger: {
        /**
         * @description Anything but UP_TO_DATE: nothing new is sent.
         * @enum {string}
         */
        state:
          | 'UP_TO_DATE'
          | 'NOT_READ'
          | 'NOT_JUDGED'
          | 'LEDGER_OF_ANOTHER_CHAIN'
          | 'LEDGER_BEHIND_CHAIN';
        /** @description Chain whose transactions it holds; null for a ledger that has met none. */
        chainId: string | null;
        genesisHash: string | null;
        /** @description Highest block that was noted as seen: a restored copy reads on from there. */
        lastBlock: number | null;
      };
      /** @description What should never happen, since this instance started. */
      alarms: {
        /** @description Transactions of our accounts that this ledger did not send. */
        foreignTransactions: number;
        /** @description Settled nonces that a rollback of the chain has opened again. */
        reopenedNonces: number;
        /** @description Refused transactions that have landed. */
        disprovedRefusals: number;
      };
      /** @description Ledger and chain side by side; each finding is in the log, with its transaction. */
      audit: {
        lastBlock: number | null;
        behindBlocks: number | null;
        /** @description Null before the first audit, and where AUDIT_INTERVAL_MS is 0. */
        completedSecondsAgo: number | null;
        findings: {
          [key: string]: number;
        };
        /** @description Code of what the last audit could not read. */
        problem: string | null;
      };
      /** @description False by STRICT_REFUSALS, and once a refusal was disproved. */
      refusalsBelieved: boolean;
      /** @description How far the clock of this machine is ahead of the store’s and of the newest block’s. */
      clockSkewSeconds: {
        store: number | null;
        chain: number | null;
      };
      /** @description Unix seconds at which this instance read the chain last. */
      lastLookAt: number | null;
      /** @description Nonces that are undecided for too long, with what is known of them. */
      attention: components['schemas']['StuckNonce'][];
      pools: components['schemas']['OperatedPool'][];
      load: {
        admissions: {
          running: number;
          waiting: number;
          refused: number;
        };
        requests: {
          requests: number;
          clients: number;
          refused: number;
        };
      };
    };
    OperatedLane: {
      address: string;
      /** @enum {string} */
      role: 'relay' | 'swap_owner' | 'curator';
      /**
       * @description What the lane can do now, as this instance sees it.
       * @example ready
       */
      state: string;
      /** @description Why it takes nothing; null while it does, and where the state says it all. */
      reason: string | null;
      /** @description Nonces that are undecided, as the last look showed them. */
      openNonces: number;
      /** @description False for an account of the ledger that is not in the settings: it is followed, and can’t sign. */
      configured: boolean;
      /** @description Followed, and given nothing new. */
      retiring: boolean;
      /** @description Why it was stopped until an operator resumes it; null while it was not. */
      paused: string | null;
      quarantine: components['schemas']['LaneQuarantine'] | null;
      /** @description At ACCEPTED_ON_L2; null while the node does not answer. */
      nonce: string | null;
      balanceFri: string | null;
    };
    LaneQuarantine: {
      /**
       * @description introduced: the ledger has never held this account. behind: the chain has more of it than the ledger.
       * @enum {string}
       */
      cause: 'introduced' | 'behind';
      /** @description First nonce that is not in question any more. */
      until: string;
      /** @description Unix seconds, by the clock of the store. */
      since: number;
      /** @description Whether the lifetime of the mempool is over, so that nonces in question are taken by no-ops. */
      taking: boolean;
    };
    StuckNonce: {
      lane: string;
      nonce: string;
      /** @description Public id of what holds the nonce; null when it is a no-op. */
      submission: string | null;
      state: string | null;
      forSeconds: number;
      /** @description The chain is past the nonce, and who took it is not found yet. */
      passedByChain: boolean;
      /** @description Code for which it is being given up; null while it is wanted. */
      unwanted: string | null;
      transactions: {
        hash: string;
        /** @enum {string} */
        kind: 'call' | 'noop';
        /** @description 2 stands for more than one. */
        sends: number;
        lastSentSecondsAgo: number | null;
        /** @description It can’t land any more; `gone` says why. */
        dead: boolean;
        /** @description refused: the node turned it down for good. lost: another transaction has the nonce, until that one’s block is undone. */
        gone: ('refused' | 'lost') | null;
        /** @description What the node said of it at the last look. */
        seen: string;
      }[];
    };
    OperatedPool: {
      key: string;
      address: string;
      withdrawals: components['schemas']['PoolGate'];
      batches: components['schemas']['PoolGate'];
      /** @description Users have lost more than LOSS_BUDGET_PER_POOL_FRI: each caller has one request on its way at a time. */
      strict: boolean;
      /** @description Of the last hour. */
      money: {
        /** @description Fees of what succeeded, in the token’s smallest unit; null for the swap pool, whose fees are paid in several tokens. */
        earned: string | null;
        /** @description The same in fri, each at the prices of its own admission. */
        earnedFri: string;
        /** @description Gas that was charged, for reverts and no-ops too. */
        spentFri: string;
        /** @description What submissions on their way are expected to cost. */
        reservedFri: string;
        succeeded: number;
        reverted: number;
        /** @description Refused or expired. */
        unsent: number;
        /** @description Withdrawals that cost more than they brought. */
        losses: number;
        /** @description Gas of reverts that users brought about: spent elsewhere, slippage. */
        lostFri: string;
      };
    };
    PoolGate: {
      /**
       * @description trial: a pause is over and one attempt is let through. exhausted: the gas of the hour is spent, or (cause losses) users have lost more than they may together.
       * @enum {string}
       */
      state: 'open' | 'trial' | 'paused' | 'exhausted';
      /** @description Why; for `exhausted` whose budget it is. Null when open. */
      cause:
        ('operator' | 'configuration' | 'reverts' | 'losses' | 'upstream' | 'pool' | 'all') | null;
      /** @description Given by the operator who paused it. */
      reason: string | null;
      /** @description Unix seconds; null when open, and while the end is not known. */
      until: number | null;
    };
    SignedServiceStatus: {
      status: components['schemas']['ServiceStatus'];
      /** @description The account whose key signed. */
      signer: string;
      /** @description r and s over the SNIP-12 hash of `ServiceStatus`. */
      signature: string[];
    };
    ServiceStatus: {
      /** @constant */
      version: 1;
      chainId: string;
      /** @description The address that a proof must name as its relayer. */
      relayer: string;
      /** @description Unix seconds. */
      issuedAt: number;
      pools: components['schemas']['PublicPool'][];
      /** @description Whether an account can pay for a withdrawal. */
      capacity: {
        value: boolean;
        /** @description When it was looked at, in Unix seconds. */
        asOf: number;
      };
      /** @description Withdrawals and swaps of the window that succeeded, rounded down to 5 %; null when fewer than 20 ended. */
      success: {
        percent: number | null;
        windowSeconds: number;
        /** @description When it was looked at, in Unix seconds. */
        asOf: number;
      };
      /** @description From acceptance to ACCEPTED_ON_L2, rounded up to 5 s; null when fewer than 20 succeeded. */
      inclusion: {
        p50Seconds: number | null;
        p95Seconds: number | null;
        windowSeconds: number;
        /** @description When it was looked at, in Unix seconds. */
        asOf: number;
      };
    };
    PublicPool: {
      key: string;
      address: string;
      token: string;
      /** @description To put into a proof now, in the token’s smallest unit; null while it can’t be known. */
      fee: {
        value: string | null;
        /** @description When it was looked at, in Unix seconds. */
        asOf: number;
      };
      /** @description Whether withdrawals begin in it. */
      accepting: {
        value: boolean | null;
        /** @description When it was looked at, in Unix seconds. */
        asOf: number;
      };
      pausedFor:
        ('operator' | 'configuration' | 'reverts' | 'losses' | 'upstream' | 'budget') | null;
      /** @description Given by the operator who paused it. */
      reason: string | null;
    };
    Liveness: {
      /** @constant */
      status: 'alive';
    };
    Readiness: {
      /** @enum {string} */
      status: 'ready' | 'not_ready';
      checks: {
        [key: string]: {
          ok: boolean;
          /** @description Why not; null when it is fine. */
          code: string | null;
        };
      };
    };
    OpenApiDocument: {
      [key: string]: unknown;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  submitWithdrawal: {
    parameters: {
      query?: {
        /** @description true: run the admission checks and report them, submit nothing. */
        dryRun?: 'true' | 'false';
      };
      header?: {
        /** @description `respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome. */
        prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WithdrawRequest'];
      };
    };
    responses: {
      /** @description The outcome: SUCCEEDED, REVERTED, or UNKNOWN when it was not known in time; or the report of a dry run, which has no submission resource */
      200: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['TransactionResult'] | components['schemas']['DryRunReport'];
        };
      };
      /** @description Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`. */
      202: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          /** @description `respond-async` */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionResult'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `PROOF_LAYOUT_INVALID`: The calldata is not laid out as a Groth16 withdrawal proof.
       *
       *     `PUBLIC_INPUT_OUT_OF_RANGE`: The proof does not have seven public inputs, each within its range.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `QUOTE_USED`: The quote has served another withdrawal.
       *
       *     `NULLIFIER_SPENT`: The note of this proof has been withdrawn already.
       *
       *     `WITHDRAWAL_IN_PROGRESS`: A withdrawal of the same note with other terms is on its way.
       */
      409: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          /** @description The submission that has the note; only with `WITHDRAWAL_IN_PROGRESS`. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `LEAF_INDEX_NOT_APPLICABLE`: A leaf index is taken only for withdrawals from the swap pool.
       *
       *     `LEAF_INDEX_MISMATCH`: The request names another leaf than the one that its proof spends.
       *
       *     `LEAF_UNKNOWN`: The swap pool has no note in that leaf.
       *
       *     `OUTPUT_TOKEN_NOT_SUPPORTED`: This relayer does not swap into that token.
       *
       *     `RECIPIENT_INVALID`: The recipient of the withdrawal is the zero address, or a contract in which the payout would be stranded.
       *
       *     `QUOTE_UNKNOWN`: The withdrawal cites a quote that this relayer does not know.
       *
       *     `QUOTE_EXPIRED`: The quote that the withdrawal cites has expired.
       *
       *     `QUOTE_MISMATCH`: The quote was given for another pool, note of the swap pool, operation, chain or relayer address.
       *
       *     `RELAYER_MISMATCH`: The proof names another relayer, which would earn the fee of this withdrawal.
       *
       *     `FEE_TOO_LOW`: The fee in the proof does not cover what the withdrawal costs now, or is below the quote that it cites.
       *
       *     `FEE_ABOVE_POOL_MAXIMUM`: The fee in the proof is above what the pool allows.
       *
       *     `BATCH_OUT_OF_BOUNDS`: The batch in the proof is empty or contains deposits that are not deployed yet.
       *
       *     `ROOT_UNKNOWN`: The pool does not know the Merkle root in the proof, or not any more.
       *
       *     `PROOF_INVALID`: The proof does not hold for its public inputs.
       *
       *     `SIMULATION_REVERTED`: The contract would revert this transaction, so it was not sent.
       *
       *     `SUBMISSION_REFUSED`: The transaction was refused for good; nothing of it is or can be on chain.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_IN_FLIGHT`: As many requests of your address are under way as may be at a time.
       *
       *     `CALLER_BUDGET_EXHAUSTED`: Transactions that were asked for from this address have reverted at the relayer’s cost, so it takes no more of them for now.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OVERLOADED`: The service has as much to do as it takes on at a time.
       *
       *     `POOL_PAUSED`: The relayer takes nothing for this pool now.
       *
       *     `BUDGET_EXHAUSTED`: The relayer has spent the gas that it spends within an hour.
       *
       *     `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.
       *
       *     `VERIFIER_BUSY`: Too many proofs wait to be checked.
       *
       *     `VERIFIER_FAILED`: The proof could not be checked; this says nothing about the proof.
       *
       *     `QUEUE_FULL`: More submissions wait for a lane than the service takes on.
       *
       *     `LEDGER_BEHIND_CHAIN`: The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.
       *
       *     `SUBMISSION_EXPIRED`: The transaction was given up in time; nothing of it is or can be on chain.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  privateSwap: {
    parameters: {
      query?: {
        /** @description true: run the admission checks and report them, submit nothing. */
        dryRun?: 'true' | 'false';
      };
      header?: {
        /** @description `respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome. */
        prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PrivateSwapRequest'];
      };
    };
    responses: {
      /** @description The outcome: SUCCEEDED, REVERTED, or UNKNOWN when it was not known in time; or the report of a dry run, which has no submission resource */
      200: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json':
            components['schemas']['PrivateSwapResult'] | components['schemas']['DryRunReport'];
        };
      };
      /** @description Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`. */
      202: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          /** @description `respond-async` */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapResult'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `SLIPPAGE_OUT_OF_RANGE`: The slippage is not a fraction between the least and the largest that the relayer takes.
       *
       *     `COMMITMENT_INVALID`: The new commitment is not a number above 0 and below the order of the circuit’s field.
       *
       *     `PROOF_LAYOUT_INVALID`: The calldata is not laid out as a Groth16 withdrawal proof.
       *
       *     `PUBLIC_INPUT_OUT_OF_RANGE`: The proof does not have seven public inputs, each within its range.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `QUOTE_USED`: The quote has served another withdrawal.
       *
       *     `COMMITMENT_EXISTS`: The swap pool has the new commitment already, so the swap was not sent.
       *
       *     `COMMITMENT_IN_PROGRESS`: The private swap of another note was pinned to this new commitment.
       *
       *     `SWAP_PINNED`: The note was pinned to another new commitment or output token when its swap was first tried, and stays so.
       *
       *     `NULLIFIER_SPENT`: The note of this proof has been withdrawn already.
       *
       *     `WITHDRAWAL_IN_PROGRESS`: A withdrawal of the same note with other terms is on its way.
       */
      409: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          /** @description The submission that has the note; only with `WITHDRAWAL_IN_PROGRESS`. */
          Location?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `QUOTE_UNKNOWN`: The withdrawal cites a quote that this relayer does not know.
       *
       *     `QUOTE_EXPIRED`: The quote that the withdrawal cites has expired.
       *
       *     `QUOTE_MISMATCH`: The quote was given for another pool, note of the swap pool, operation, chain or relayer address.
       *
       *     `POOL_NOT_SWAPPABLE`: Private swaps do not start from this pool: its notes can only be withdrawn.
       *
       *     `OUTPUT_TOKEN_NOT_SUPPORTED`: This relayer does not swap into that token.
       *
       *     `RECIPIENT_NOT_SWAP_POOL`: The recipient of the withdrawal is not the swap pool, so there would be nothing to swap.
       *
       *     `RELAYER_MISMATCH`: The proof names another relayer, which would earn the fee of this withdrawal.
       *
       *     `FEE_TOO_LOW`: The fee in the proof does not cover what the withdrawal costs now, or is below the quote that it cites.
       *
       *     `FEE_ABOVE_POOL_MAXIMUM`: The fee in the proof is above what the pool allows.
       *
       *     `BATCH_OUT_OF_BOUNDS`: The batch in the proof is empty or contains deposits that are not deployed yet.
       *
       *     `ROOT_UNKNOWN`: The pool does not know the Merkle root in the proof, or not any more.
       *
       *     `PROOF_INVALID`: The proof does not hold for its public inputs.
       *
       *     `SIMULATION_REVERTED`: The contract would revert this transaction, so it was not sent.
       *
       *     `SUBMISSION_REFUSED`: The transaction was refused for good; nothing of it is or can be on chain.
       *
       *     `NO_QUOTES_AVAILABLE`: There is no quote for this swap: no route, or too little liquidity.
       *
       *     `SLIPPAGE_TOO_TIGHT`: The swap would bring less than the slippage allows.
       *
       *     `PRICE_IMPACT_TOO_HIGH`: The best quote is too far below what the swap is worth at market prices, so nothing was sent.
       *
       *     `MINIMUM_NOT_MET`: The best quote, less the least slippage, is below the `minAmountOut` of the request.
       *
       *     `SWAP_BELOW_FLOOR`: The swap would bring less than the floor that its note was pinned to when its swap was first tried.
       *
       *     `SWAP_ROUTE_TOO_LONG`: The best route of this swap does not fit into a transaction.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_IN_FLIGHT`: As many requests of your address are under way as may be at a time.
       *
       *     `NOTE_SWAPS_SUSPENDED`: Private swaps of this note have reverted too often, so it is not swapped for a day.
       *
       *     `CALLER_BUDGET_EXHAUSTED`: Transactions that were asked for from this address have reverted at the relayer’s cost, so it takes no more of them for now.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       *
       *     `SWAP_BUILD_REJECTED`: The aggregator built another swap than it was asked for, so nothing was signed.
       *
       *     `AGGREGATOR_MALFORMED`: The swap aggregator answered what can’t be understood.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `OVERLOADED`: The service has as much to do as it takes on at a time.
       *
       *     `PRIVATE_SWAP_DISABLED`: This relayer does not swap.
       *
       *     `SWAP_PINS_INCOMPLETE`: The relayer still reads which notes are pinned to a swap, and swaps nothing before it knows.
       *
       *     `POOL_PAUSED`: The relayer takes nothing for this pool now.
       *
       *     `BUDGET_EXHAUSTED`: The relayer has spent the gas that it spends within an hour.
       *
       *     `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.
       *
       *     `VERIFIER_BUSY`: Too many proofs wait to be checked.
       *
       *     `VERIFIER_FAILED`: The proof could not be checked; this says nothing about the proof.
       *
       *     `QUEUE_FULL`: More submissions wait for a lane than the service takes on.
       *
       *     `LEDGER_BEHIND_CHAIN`: The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.
       *
       *     `SUBMISSION_EXPIRED`: The transaction was given up in time; nothing of it is or can be on chain.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       *
       *     `QUOTE_EXPIRED_AT_AGGREGATOR`: The aggregator’s quotes expired before the swap could be built.
       *
       *     `AGGREGATOR_UNAVAILABLE`: The swap aggregator cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
      /**
       * @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time.
       *
       *     `AGGREGATOR_TIMED_OUT`: The swap aggregator did not answer in time.
       */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
        };
      };
    };
  };
  relayDeposit: {
    parameters: {
      query?: never;
      header?: {
        /** @description `respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome. */
        prefer?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DepositRequest'];
      };
    };
    responses: {
      /** @description The outcome: SUCCEEDED, REVERTED, or UNKNOWN when it was not known in time */
      200: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DepositResult'];
        };
      };
      /** @description Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`. */
      202: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          /** @description `respond-async` */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DepositResult'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `COMMITMENT_INVALID`: The new commitment is not a number above 0 and below the order of the circuit’s field.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `DEPOSIT_EXISTS`: The pool has a deposit with this commitment already.
       *
       *     `DEPOSIT_IN_PROGRESS`: A deposit of another depositor for the same commitment is on its way.
       */
      409: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `POOL_WITHOUT_DENOMINATION`: The notes of this pool hold different tokens and amounts, so it has no denomination and no batches.
       *
       *     `DEPOSIT_EXPIRED`: The depositor’s consent has expired.
       *
       *     `DEPOSIT_EXPIRY_TOO_FAR`: The depositor’s consent holds for longer than an hour.
       *
       *     `POOL_NEARLY_FULL`: The pool’s tree is nearly full, and this relayer fills no more of it.
       *
       *     `DEPOSITOR_NOT_DEPLOYED`: No account is deployed at the depositor’s address, so its consent can’t be checked.
       *
       *     `DEPOSIT_BALANCE_TOO_LOW`: The depositor’s balance does not cover this deposit and those of it that are on their way.
       *
       *     `DEPOSIT_ALLOWANCE_TOO_LOW`: The depositor’s allowance for the pool does not cover this deposit and those of it that are on their way.
       *
       *     `DEPOSIT_SIGNATURE_INVALID`: The signature is not the depositor’s over this deposit.
       *
       *     `SIMULATION_REVERTED`: The contract would revert this transaction, so it was not sent.
       *
       *     `SUBMISSION_REFUSED`: The transaction was refused for good; nothing of it is or can be on chain.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_IN_FLIGHT`: As many requests of your address are under way as may be at a time.
       *
       *     `DEPOSITS_RATIONED`: As many deposits as may begin within an hour have begun.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OVERLOADED`: The service has as much to do as it takes on at a time.
       *
       *     `DEPOSIT_QUEUED`: The deposit has to wait for a withdrawal that is on its way, whose root it would push out of the pool.
       *
       *     `POOL_PAUSED`: The relayer takes nothing for this pool now.
       *
       *     `BUDGET_EXHAUSTED`: The relayer has spent the gas that it spends within an hour.
       *
       *     `QUEUE_FULL`: More submissions wait for a lane than the service takes on.
       *
       *     `LEDGER_BEHIND_CHAIN`: The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.
       *
       *     `SUBMISSION_EXPIRED`: The transaction was given up in time; nothing of it is or can be on chain.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `DEPOSIT_SIGNATURE_UNCHECKED`: The depositor’s account did not say in time whether the signature is its own.
       *
       *     `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time.
       */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deployBatch: {
    parameters: {
      query?: never;
      header?: {
        /** @description `respond-async`: answer 202 as soon as the request is accepted, instead of waiting for its outcome. */
        prefer?: string;
        /** @description An operator’s token, for a partial batch that is the operator’s; other requests need none. */
        authorization?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeployBatchRequest'];
      };
    };
    responses: {
      /** @description The outcome: SUCCEEDED, REVERTED, or UNKNOWN when it was not known in time */
      200: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionResult'];
        };
      };
      /** @description Accepted; the outcome is UNKNOWN for now. Only with `Prefer: respond-async`. */
      202: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only with UNKNOWN. */
          'Retry-After'?: string;
          /** @description `respond-async` */
          'Preference-Applied'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionResult'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `BATCH_COUNT_INVALID`: No batch has that many deposits.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `PARTIAL_BATCH_RESERVED`: Only the operator of this service has partial batches deployed. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `DEPLOYMENT_IN_PROGRESS`: Another deployment of this pool is on its way. */
      409: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `POOL_WITHOUT_DENOMINATION`: The notes of this pool hold different tokens and amounts, so it has no denomination and no batches.
       *
       *     `BATCH_TOO_LARGE`: Fewer deposits wait in the pool than the batch would need, so nothing was sent.
       *
       *     `BATCH_TOO_YOUNG`: A partial batch has to hold every deposit that waits, and each of them must have waited long enough.
       *
       *     `SIMULATION_REVERTED`: The contract would revert this transaction, so it was not sent.
       *
       *     `SUBMISSION_REFUSED`: The transaction was refused for good; nothing of it is or can be on chain.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_IN_FLIGHT`: As many requests of your address are under way as may be at a time.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OVERLOADED`: The service has as much to do as it takes on at a time.
       *
       *     `POOL_PAUSED`: The relayer takes nothing for this pool now.
       *
       *     `BUDGET_EXHAUSTED`: The relayer has spent the gas that it spends within an hour.
       *
       *     `QUEUE_FULL`: More submissions wait for a lane than the service takes on.
       *
       *     `LEDGER_BEHIND_CHAIN`: The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.
       *
       *     `SUBMISSION_EXPIRED`: The transaction was given up in time; nothing of it is or can be on chain.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listPools: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In the order of the relayer’s profile */
      200: {
        headers: {
          /** @description `public, max-age=5` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pools'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getPoolStatus: {
    parameters: {
      query: {
        /** @description Address of a pool that this relayer serves. */
        pool: components['schemas']['Felt252'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pool in the latest block, or in one at most seconds older */
      200: {
        headers: {
          /** @description `public, max-age=2` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PoolStatus'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_WITHOUT_DENOMINATION`: The notes of this pool hold different tokens and amounts, so it has no denomination and no batches. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away. */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  estimateFee: {
    parameters: {
      query?: {
        /** @description Address of a pool that this relayer serves. */
        pool?: components['schemas']['Felt252'];
        leafIndex?: string;
        /** @description What the fee is for. A private swap starts from pools of the kind `swap_input` and costs more gas than a withdrawal. */
        operation?: 'withdraw' | 'private_swap';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The recommended fee and what it is made of */
      200: {
        headers: {
          /** @description `public, max-age=5` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FeeEstimate'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `POOL_NOT_SWAPPABLE`: Private swaps do not start from this pool: its notes can only be withdrawn.
       *
       *     `LEAF_INDEX_REQUIRED`: The notes of the swap pool hold different tokens and amounts, so the fee depends on the leaf.
       *
       *     `LEAF_INDEX_NOT_APPLICABLE`: A leaf index is taken only for withdrawals from the swap pool.
       *
       *     `LEAF_UNKNOWN`: The swap pool has no note in that leaf.
       *
       *     `OUTPUT_TOKEN_NOT_SUPPORTED`: This relayer does not swap into that token.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `PRIVATE_SWAP_DISABLED`: This relayer does not swap.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  issueQuote: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['QuoteRequest'];
      };
    };
    responses: {
      /** @description The quote */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Quote'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `POOL_NOT_SWAPPABLE`: Private swaps do not start from this pool: its notes can only be withdrawn.
       *
       *     `LEAF_INDEX_REQUIRED`: The notes of the swap pool hold different tokens and amounts, so the fee depends on the leaf.
       *
       *     `LEAF_INDEX_NOT_APPLICABLE`: A leaf index is taken only for withdrawals from the swap pool.
       *
       *     `LEAF_UNKNOWN`: The swap pool has no note in that leaf.
       *
       *     `OUTPUT_TOKEN_NOT_SUPPORTED`: This relayer does not swap into that token.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_QUOTES`: As many quotes as may be are given and not used.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `PRIVATE_SWAP_DISABLED`: This relayer does not swap.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee and no swap can be judged.
       *
       *     `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
       *
       *     `POOL_PAUSED`: The relayer takes nothing for this pool now.
       *
       *     `BUDGET_EXHAUSTED`: The relayer has spent the gas that it spends within an hour.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getSubmission: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description From the `Location` of the answer. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The submission as the ledger has it now */
      200: {
        headers: {
          /** @description Seconds after which to look again; only while the outcome is UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Submission'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `SUBMISSION_NOT_FOUND`: There is no submission with this id. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written. */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  lookUpSubmission: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LookUpRequest'];
      };
    };
    responses: {
      /** @description The note’s submission as the ledger has it now */
      200: {
        headers: {
          /** @description Submission resource. */
          Location?: string;
          /** @description Seconds after which to look at the submission resource; only while the outcome is UNKNOWN. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Submission'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `PROOF_LAYOUT_INVALID`: The calldata is not laid out as a Groth16 withdrawal proof.
       *
       *     `PUBLIC_INPUT_OUT_OF_RANGE`: The proof does not have seven public inputs, each within its range.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool.
       *
       *     `WITHDRAWAL_NOT_FOUND`: This relayer has no submission of the note that the proof spends.
       */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `PROOF_INVALID`: The proof does not hold for its public inputs. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `VERIFIER_BUSY`: Too many proofs wait to be checked.
       *
       *     `VERIFIER_FAILED`: The proof could not be checked; this says nothing about the proof.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listStakingPools: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One entry for each pool */
      200: {
        headers: {
          /** @description `public, s-maxage=30, stale-while-revalidate=60` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StakingPools'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `STAKING_DATA_UNAVAILABLE`: The last values of the lending pools are too old to return, and newer ones are not available now. */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  deployIdleFunds: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CuratorRequest'];
      };
    };
    responses: {
      /** @description Deployed, or nothing to deploy */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CuratorResult'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `CURATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `VAULT_NOT_FOUND`: There is no vault of that name. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `RATE_LIMITED`: Your address has used up its requests of this minute.
       *
       *     `TOO_MANY_IN_FLIGHT`: As many requests of your address are under way as may be at a time.
       */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `DEPLOYMENT_REVERTED`: The vault reverted the deployment, so its funds are still idle.
       *
       *     `DEPLOYMENT_REFUSED`: The deployment was refused for good; nothing of it is or can be on chain.
       *
       *     `NODE_MALFORMED_ANSWER`: The Starknet node answered what its specification does not allow.
       *
       *     `NODE_REFUSED_CALL`: The Starknet node refused to read what the request needs; `details.rpcCode` is its code.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OVERLOADED`: The service has as much to do as it takes on at a time.
       *
       *     `CURATOR_DISABLED`: This service deploys no idle funds of vaults: it has no token to let anybody in with.
       *
       *     `DEPLOYMENT_EXPIRED`: The deployment was given up in time; nothing of it is or can be on chain.
       *
       *     `QUEUE_FULL`: More submissions wait for a lane than the service takes on.
       *
       *     `LEDGER_BEHIND_CHAIN`: The ledger was restored or replaced, and what it had sent before is being read from the chain. Nothing new is sent until that is done.
       *
       *     `PREVIOUS_ATTEMPT_NOT_FINAL`: The last attempt of this call has ended at ACCEPTED_ON_L2, and a second one must wait until its block is final.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       *
       *     `NODE_UNAVAILABLE`: The Starknet node cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `DEPLOYMENT_UNDECIDED`: The deployment was accepted, but whether it succeeds is not known yet.
       *
       *     `UPSTREAM_TIMED_OUT`: The Starknet node did not answer in time.
       */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getBridgeStatus: {
    parameters: {
      query: {
        /** @description From a quote that was no dry run. */
        transaction_id: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The transfer as it was last seen */
      200: {
        headers: {
          /** @description `private, no-cache` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BridgeStatus'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `TRANSFER_NOT_FOUND`: No transfer of this transaction id is known. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BRIDGE_MALFORMED`: The bridge protocol answered what can’t be understood. */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `BRIDGE_DISABLED`: This service bridges nothing: it knows no bridge protocol.
       *
       *     `BRIDGE_UNAVAILABLE`: The bridge protocol cannot be reached, or turns requests away.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BRIDGE_TIMED_OUT`: The bridge protocol did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  quoteBridgeTransfer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BridgeQuoteRequest'];
      };
    };
    responses: {
      /** @description The terms */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BridgeQuote'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       *
       *     `AMOUNT_INVALID`: The amount is not a positive whole number of the source token’s smallest unit.
       *
       *     `BRIDGE_RECIPIENT_INVALID`: The recipient is no address of the destination chain.
       *
       *     `REFUND_ADDRESS_INVALID`: There is no usable address of the source chain for a refund.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `CHAIN_NOT_SUPPORTED`: Transfers from or to that chain are not offered.
       *
       *     `TOKEN_NOT_SUPPORTED`: That token is not transferred from or to this chain.
       *
       *     `ROUTE_NOT_SUPPORTED`: Transfers go from a listed token to STRK on Starknet, or from STRK on Starknet to a listed token.
       *
       *     `NO_BRIDGE_ROUTE`: No solver carries this transfer at present.
       *
       *     `AMOUNT_TOO_LOW`: The amount is below what the bridge carries on this route.
       */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `BRIDGE_QUOTE_UNUSABLE`: The bridge returned a quote that is not safe to fund.
       *
       *     `BRIDGE_MALFORMED`: The bridge protocol answered what can’t be understood.
       */
      502: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `BRIDGE_DISABLED`: This service bridges nothing: it knows no bridge protocol.
       *
       *     `BRIDGE_UNAVAILABLE`: The bridge protocol cannot be reached, or turns requests away.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BRIDGE_TIMED_OUT`: The bridge protocol did not answer in time. */
      504: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  listBridgeRoutes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every pair of tokens, in both directions */
      200: {
        headers: {
          /** @description `public, max-age=300` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BridgeRoutes'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BRIDGE_DISABLED`: This service bridges nothing: it knows no bridge protocol. */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getOperatorStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description As of now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatorStatus'];
        };
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `OPERATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OPERATOR_DISABLED`: This service has no routes for its operator: it has no token to let anybody in with.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  pausePool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Key of the pool in the profile, or its address. */
        pool: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PauseRequest'];
      };
    };
    responses: {
      /** @description How the pool stands now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatedPool'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `OPERATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OPERATOR_DISABLED`: This service has no routes for its operator: it has no token to let anybody in with.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resumePool: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Key of the pool in the profile, or its address. */
        pool: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How the pool stands now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatedPool'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `OPERATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `POOL_NOT_SUPPORTED`: This relayer does not serve that pool. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OPERATOR_DISABLED`: This service has no routes for its operator: it has no token to let anybody in with.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  pauseLane: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Address of the account. */
        lane: components['schemas']['Felt252'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PauseLaneRequest'];
      };
    };
    responses: {
      /** @description How the account stands now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatedLane'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_JSON`: The body is not JSON.
       *
       *     `UNSUPPORTED_CONTENT_TYPE`: The body is not marked as JSON, or is in a character set or compression that is not supported.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `OPERATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `LANE_NOT_FOUND`: This service follows no account with this address, or its ledger has not met it yet. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `BODY_TOO_LARGE`: The body is larger than this route takes. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OPERATOR_DISABLED`: This service has no routes for its operator: it has no token to let anybody in with.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  resumeLane: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Address of the account. */
        lane: components['schemas']['Felt252'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How the account stands now */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OperatedLane'];
        };
      };
      /**
       * @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements.
       *
       *     `INVALID_FELT`: A text in the request is no felt252: neither `0x` hex nor decimal digits, or not below the field prime.
       */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `OPERATOR_UNAUTHORIZED`: The request carries no token that may do this. */
      401: {
        headers: {
          /** @description `Bearer` */
          'WWW-Authenticate'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `LANE_NOT_FOUND`: This service follows no account with this address, or its ledger has not met it yet. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /**
       * @description `OPERATOR_DISABLED`: This service has no routes for its operator: it has no token to let anybody in with.
       *
       *     `LEDGER_UNAVAILABLE`: The ledger does not answer; nothing is known to have been written.
       */
      503: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description At most a minute old */
      200: {
        headers: {
          /** @description `public, max-age=5` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SignedServiceStatus'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getLiveness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description It does */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Liveness'];
        };
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every check passed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description At least one check did not */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An OpenAPI 3.1 document */
      200: {
        headers: {
          /** @description `public, max-age=300` */
          'Cache-Control'?: string;
          /** @description Of this answer, for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenApiDocument'];
        };
      };
      /** @description The answer is still the one that `If-None-Match` names */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description `INVALID_REQUEST`: Body, query or path do not match their schema: a wrong type, a missing, repeated or unknown field, too many elements. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
      429: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      /** @description `INTERNAL`: A defect of the service. */
      500: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
}
