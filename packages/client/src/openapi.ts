// Generated from docs/openapi.json: pnpm --filter @sotto/client run types:write

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
     * @description Checks the proof, puts it on chain exactly once and waits for the outcome. The same request again gets the same submission and the same answer. After one that ended without success it is a new attempt. With `dryRun=true` it only runs the checks and reports each, at no cost.
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
     * @description The proof’s recipient is the swap pool: it swaps the payout through the aggregator and keeps the output for the new commitment. The same request again gets the same submission. On chain REVERTED, and every failure before, carry `leafIndex: -1`.
     */
    post: operations['privateSwap'];
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
     * @description What a wallet needs to know to make a proof. What is configured is told even while the chain can’t be read.
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
     * @description All of it from one block. When any of it can’t be read the answer is an error, never a 0.
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
     * @description From live gas and market prices; when one of them is not known, too old or disagreed on, the answer is an error, never a guess. With `pool` the fee is in that pool’s token and capped at its maximum.
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
     * @description A withdrawal from this pool that cites the quote is admitted at its fee until it expires, whatever prices do. It serves one withdrawal. The signature is over SNIP-12 typed data, so that it can be verified without asking anybody.
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
    /** What became of a withdrawal, batch or private swap */
    get: operations['getSubmission'];
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
     * @description The store answers, the node answers with the right chain id, at least one lane can pay, the proof verifier is warm, and the service is not stopping.
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
      /** @description A quote for this pool: the proof’s fee is then judged by it and not by present prices. It serves one withdrawal. */
      quoteId?: string;
    };
    /**
     * @description Field element below 2^251 + 17·2^192 + 1: 0x hex (any case, leading zeros) or decimal.
     * @example 0x1a2b
     */
    Felt252: string;
    PrivateSwapRequest: {
      /** @description Address of a WBTC pool that this relayer serves. */
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
       * @description Largest tolerance as a fraction (0.02 = 2 %): above 0, at most 0.15.
       * @default 0.01
       * @example 0.01
       */
      slippage?: number;
    };
    DeployBatchRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
      /** @description Deposits to deploy: 3, 5 or 7 (what the pool takes, see `GET /api/relayer/pools`); with `partial` any from 1. At most the undeployed ones. */
      count: number;
      /**
       * @description true: deploy a batch of any size, at the price of privacy, because fewer deposits hide one another.
       * @default false
       */
      partial?: boolean;
    };
    QuoteRequest: {
      /** @description Address of a pool that this relayer serves. */
      poolAddress: components['schemas']['Felt252'];
    };
    TransactionResult: {
      /**
       * @description Hash of the transaction; `0x0` while none is signed yet.
       * @example 0x5d2a7e0c6f1b3948d2e5a7c90b1f3e4d5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0
       */
      transaction_hash: string;
      /**
       * @description UNKNOWN: the outcome is not known yet. The submission resource named in `Location` tells it later; do not assume failure.
       * @enum {string}
       */
      execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
      /** @description The contract's reason when REVERTED, else null. */
      revert_reason: string | null;
    };
    DryRunReport: {
      /** @description True when every check passed: the same request, sent now, would be accepted. */
      admissible: boolean;
      /** @description Every check of the admission, in order. */
      rungs: components['schemas']['RungReport'][];
    };
    RungReport: {
      /** @description Name of the check. */
      rung: string;
      /** @description Error code of a withdrawal that fails here. */
      code: string;
      /**
       * @description skipped: what the check looks at is not known, because an earlier check failed or a read did.
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
       * @description Stable code, for programs; docs/errors.md lists them.
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
       * @description UNKNOWN: the outcome is not known yet. The submission resource named in `Location` tells it later; do not assume failure.
       * @enum {string}
       */
      execution_status: 'SUCCEEDED' | 'REVERTED' | 'UNKNOWN';
      /** @description The contract's reason when REVERTED, else null. */
      revert_reason: string | null;
      /** @description Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 when the swap failed. Left out while the outcome is UNKNOWN. */
      leafIndex?: number;
      /** @description Private swaps only: what the new note is worth, in hex, in the output token’s smallest unit; `0x0` when the swap failed. Left out while the outcome is UNKNOWN. */
      outputAmount?: string;
    };
    PrivateSwapError: {
      /** @description What went wrong, for people. */
      error: string;
      /**
       * @description Stable code, for programs; docs/errors.md lists them.
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
    Pools: {
      chainId: string;
      /** @description The address that a proof must name as its relayer. */
      relayer: string;
      pools: components['schemas']['Pool'][];
      /** @description Null when this relayer does not swap. */
      privateSwap: {
        /** @description The address that the proof of a private swap must name as its recipient. */
        swapPool: string;
        outputTokens: {
          symbol: string;
          address: string;
          decimals: number;
        }[];
        defaultSlippage: number;
        maxSlippage: number;
      } | null;
    };
    Pool: {
      /** @description Its name in the relayer’s profile. */
      key: string;
      address: string;
      /**
       * @description swap_input: made for private swaps.
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
      /** @description Null while it can’t be read. */
      maxFeeBps: number | null;
      /** @description Most that a relayer may take, in the token’s smallest unit. Null while it can’t be read. */
      maxFee: string | null;
      /** @description Fee to put into a proof now, in the token’s smallest unit. Null while prices or the pool can’t be read. */
      fee: string | null;
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
    };
    FeeEstimate: {
      /** @description Fee to put into a proof, with a margin of 20 % and at most what the pool allows. In sats; for a stablecoin pool in the smallest unit of its token. */
      feeSats: number;
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
      prices: {
        /** @description One STRK in USD. */
        strkUsd: number;
        /** @description One BTC in USD. */
        btcUsd: number;
      };
      /** @description The pool’s maximum fee, in the unit of `feeSats`. Only with `pool`. */
      maxFeeSats?: number;
      /** @description The pool’s deposit size: sats for WBTC pools, USDC cents for stablecoin pools, unless the network profile gives another divisor. Only with `pool`. */
      denomination?: number;
    };
    Quote: {
      /** @description To cite in the withdrawal. */
      quoteId: string;
      chainId: string;
      pool: string;
      /** @description The address that the proof must name as its relayer. */
      relayer: string;
      /** @description The fee to put into the proof, in the smallest unit of the pool’s token. */
      fee: string;
      /** @description Unix time in seconds from which on the quote binds no more. */
      expiresAt: number;
      /** @description The account whose key signed the typed data. */
      signer: string;
      /** @description r and s. */
      signature: [string, string];
      typedData: components['schemas']['FeeQuoteTypedData'];
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
       * @description The first three are under way. refused and expired: nothing of it is or can be on chain, `code` says why.
       * @enum {string}
       */
      state: 'accepted' | 'prepared' | 'broadcast' | 'succeeded' | 'reverted' | 'refused' | 'expired';
      /** @description Null while no transaction is signed, and when nothing is on chain. */
      transaction_hash: string | null;
      /** @description Null when refused or expired. */
      execution_status: ('SUCCEEDED' | 'REVERTED' | 'UNKNOWN') | null;
      revert_reason: string | null;
      /** @description How final the execution status is; PRE_CONFIRMED may still be undone. Null without one. */
      finality: ('PRE_CONFIRMED' | 'ACCEPTED_ON_L2') | null;
      /** @description Why it was refused or expired, else null. */
      code: string | null;
      /** @description Private swaps only: leaf of the new commitment in the swap pool’s tree; -1 when the swap failed. Left out while the outcome is UNKNOWN. */
      leafIndex?: number;
      /** @description Private swaps only: what the new note is worth, in hex, in the output token’s smallest unit; `0x0` when the swap failed. Left out while the outcome is UNKNOWN. */
      outputAmount?: string;
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
          'application/json': components['schemas']['TransactionResult'] | components['schemas']['DryRunReport'];
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
       * @description `RECIPIENT_INVALID`: The recipient of the withdrawal is the zero address.
       *
       *     `QUOTE_UNKNOWN`: The withdrawal cites a quote that this relayer does not know.
       *
       *     `QUOTE_EXPIRED`: The quote that the withdrawal cites has expired.
       *
       *     `QUOTE_MISMATCH`: The quote was given for another pool, chain or relayer address.
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
       *     `SIMULATION_REVERTED`: The pool would revert this withdrawal, so it was not sent.
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
       * @description `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee can be judged.
       *
       *     `VERIFIER_BUSY`: Too many proofs wait to be checked.
       *
       *     `VERIFIER_FAILED`: The proof could not be checked; this says nothing about the proof.
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
        'application/json': components['schemas']['PrivateSwapRequest'];
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
          'application/json': components['schemas']['PrivateSwapResult'];
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
       *     `SLIPPAGE_OUT_OF_RANGE`: The slippage is not a fraction above 0 and at most 0.15.
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
       * @description `NULLIFIER_SPENT`: The note of this proof has been withdrawn already.
       *
       *     `WITHDRAWAL_IN_PROGRESS`: A withdrawal of the same note with other terms is on its way.
       */
      409: {
        headers: {
          /** @description Seconds; where the time is known. */
          'Retry-After'?: string;
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
       * @description `OUTPUT_TOKEN_NOT_SUPPORTED`: This relayer does not swap into that token.
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
       *     `SIMULATION_REVERTED`: The pool would revert this withdrawal, so it was not sent.
       *
       *     `SUBMISSION_REFUSED`: The transaction was refused for good; nothing of it is or can be on chain.
       *
       *     `NO_QUOTES_AVAILABLE`: There is no quote for this swap: no route, or too little liquidity.
       *
       *     `SLIPPAGE_TOO_TIGHT`: The swap would bring less than the slippage allows.
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
      /** @description `RATE_LIMITED`: Your address has used up its requests of this minute. */
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
       * @description `PRIVATE_SWAP_DISABLED`: This relayer does not swap.
       *
       *     `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
       *
       *     `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee can be judged.
       *
       *     `VERIFIER_BUSY`: Too many proofs wait to be checked.
       *
       *     `VERIFIER_FAILED`: The proof could not be checked; this says nothing about the proof.
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
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PrivateSwapError'];
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
       * @description `BATCH_TOO_LARGE`: Fewer deposits wait in the pool than the batch would need, so nothing was sent.
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
       * @description `SUBMISSION_EXPIRED`: The transaction was given up in time; nothing of it is or can be on chain.
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
      /** @description The pool in the latest block, or in one a moment older */
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
       * @description `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee can be judged.
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
       * @description `PRICE_UNAVAILABLE`: There is no market price now that is fresh and agreed on, so no fee can be judged.
       *
       *     `WITHDRAWAL_UNPROFITABLE`: At present prices a withdrawal costs more than the highest fee that the pool allows.
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
