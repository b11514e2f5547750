import { toFelt } from '@sotto/kernel';
import type {
  ChecksReport,
  FeeToken,
  PrivateActionInput,
  PrivateActionQuote,
  QuotePrivateActionInput,
  SubmitPrivateActionInput,
  SubmittedPrivateAction,
} from '@sotto/relayer-core';
import type { ServedRelayer } from '../../src/http/routes.js';

export const STRK = toFelt('0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d');
const FRI_PER_STRK = 10n ** 18n;

/** Results that all submissions of an app share. */
interface Results {
  /** Calls the callbacks of a submission and returns its answer. */
  readonly submit: (input: SubmitPrivateActionInput) => Promise<SubmittedPrivateAction>;
  readonly dryRun: () => Promise<ChecksReport>;
}

/** Use cases of private actions: they return results that a test sets, and store inputs. */
export class PrivateActionsFixture {
  readonly submitted: SubmitPrivateActionInput[] = [];
  readonly dryRuns: PrivateActionInput[] = [];
  readonly quoted: QuotePrivateActionInput[] = [];
  available = true;
  known = false;
  quote: () => Promise<Partial<PrivateActionQuote>> = async () => ({});
  listTokens: () => Promise<readonly FeeToken[]> = async () => [
    { address: STRK, decimals: 18, priceFri: FRI_PER_STRK },
    { address: toFelt('0x8001'), decimals: 6, priceFri: 25n * FRI_PER_STRK },
  ];

  constructor(private readonly results: Results) {}

  readonly submitPrivateAction: ServedRelayer['submitPrivateAction'] = {
    execute: async (input) => {
      if (input.unlessKnown !== undefined && !this.known) throw input.unlessKnown;
      this.submitted.push(input);
      return this.results.submit(input);
    },
    dryRun: async (input) => {
      this.dryRuns.push(input);
      return this.results.dryRun();
    },
  };

  readonly quotePrivateAction: ServedRelayer['quotePrivateAction'] = {
    execute: async (input) => {
      this.quoted.push(input);
      return {
        token: input.token,
        tokenPriceFri: 25n * FRI_PER_STRK,
        costFri: 2_000_000n,
        costAmount: 80n,
        feeFri: 2_400_000n,
        feeAmount: 96n,
        recipient: toFelt('0x7a1e5f'),
        ...(await this.quote()),
      };
    },
    tokens: async () => this.listTokens(),
    isAvailable: async () => this.available,
  };
}
