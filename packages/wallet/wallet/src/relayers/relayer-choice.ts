import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import {
  askRelayers,
  type Relayer,
  type RelayersAsked,
  type RelayerWanted,
  type UnusableRelayer,
} from './relayers.js';

/**
 * Maximum number of attempts per relayer in one run of the journey. Each attempt uses a new proof,
 * quote or signature.
 */
const MOST_TRIES = 3;
/** First pause in ms before a relayer that rejected a request is contacted again. */
const REST_MS = 30_000;

const FOR_GOOD: ReadonlySet<UnusableRelayer['code']> = new Set([
  'POOL_NOT_SERVED',
  'RELAYER_OF_ANOTHER_CHAIN',
  'SIGNATURE_FORGED',
  'SIGNER_KEY_MALFORMED',
]);

/**
 * Selects the relayers that a run of a journey contacts. If a relayer rejects a request, it is not
 * contacted for a while, or not until the run ends.
 */
export class RelayerChoice {
  readonly #relayers: readonly Relayer[];
  readonly #restingUntilMs = new Map<string, number>();
  readonly #tries = new Map<string, number>();
  /**
   * Last rejection by a relayer. If the journey fails because of this rejection, it reports the
   * rejection.
   */
  lastRefusal: JourneyError | undefined;

  constructor(relayers: readonly Relayer[]) {
    this.#relayers = relayers;
  }

  /** True if no relayer will be contacted again in this run of the journey. */
  get isExhausted(): boolean {
    return this.#relayers.every(({ baseUrl }) => this.#restingUntilMs.get(baseUrl) === Infinity);
  }

  /**
   * Returns the reason why no relayer is usable now. If {@link isExhausted}, returns the reason why
   * no relayer will be usable until the run ends.
   */
  whyNone({ usable, unusable }: RelayersAsked): JourneyError {
    const isAllAtRest = usable.length + unusable.length === 0;
    if (this.lastRefusal !== undefined && (isAllAtRest || this.isExhausted))
      return this.lastRefusal;
    const code = this.isExhausted ? 'NO_RELAYER_FOR_POOL' : 'NO_USABLE_RELAYER';
    return ownError(code, { relayers: unusable });
  }

  /**
   * Returns the relayer at this address. If the relayer was removed from the wallet's list, it is
   * also returned, because it may still have a request.
   */
  at(baseUrl: string): Relayer {
    const listed = this.#relayers.find((relayer) => relayer.baseUrl === baseUrl);
    return listed ?? { baseUrl, signerKey: '' };
  }

  /**
   * Queries the relayers that are not paused. @throws the signal's reason when the signal aborts
   */
  async ask(wanted: RelayerWanted): Promise<RelayersAsked> {
    const nowMs = Date.now();
    const awake = this.#relayers.filter(
      ({ baseUrl }) => (this.#restingUntilMs.get(baseUrl) ?? 0) <= nowMs,
    );
    const asked = await askRelayers(awake, wanted);
    for (const { baseUrl, code } of asked.unusable) if (FOR_GOOD.has(code)) this.dismiss(baseUrl);
    return asked;
  }

  /**
   * Records a conclusive rejection. The error's `retry` decides when the relayer is contacted
   * again.
   */
  refused(baseUrl: string, error: JourneyError): void {
    this.lastRefusal = error;
    const tries = (this.#tries.get(baseUrl) ?? 0) + 1;
    this.#tries.set(baseUrl, tries);
    const { retry } = error;
    if (retry === 'never' || (retry !== 'same' && tries >= MOST_TRIES)) this.dismiss(baseUrl);
    else if (retry === 'same' || retry === 'later') this.rest(baseUrl, tries);
  }

  rest(baseUrl: string, times = 1): void {
    this.#restingUntilMs.set(baseUrl, Date.now() + REST_MS * times);
  }

  dismiss(baseUrl: string): void {
    this.#restingUntilMs.set(baseUrl, Infinity);
  }
}
