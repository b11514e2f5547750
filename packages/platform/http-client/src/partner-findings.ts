/** Problem with a partner's responses that the operator should know. */
export interface PartnerFinding {
  readonly partner: string;
  /**
   * Path of the first unusable element, without its index and without any value of the response.
   */
  readonly at: string;
}

/** Statuses with which a partner rejects the operator's credentials. */
export const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
/**
 * Maximum number of reported paths. Most paths come from schemas, and schemas have few paths. The
 * limit is needed because names of unknown markets can also be in paths.
 */
const MOST_PLACES = 100;
const MAX_PLACE = 60;

/**
 * Counts skipped elements of one partner's responses. Also stores whether the partner rejects the
 * operator's credentials. The data is in memory, so the count begins at 0 after a restart.
 */
export class PartnerFindings {
  readonly #places = new Set<string>();
  #leftOut = 0;
  #rejectedWith: number | null = null;

  /** @param report called with the first finding of each path */
  constructor(
    readonly partner: string,
    private readonly report: (finding: PartnerFinding) => void = () => undefined,
  ) {}

  /** Number of elements that were skipped. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Status of the last response if the partner rejected the credentials. Null otherwise. */
  get rejectedWith(): number | null {
    return this.#rejectedWith;
  }

  /** Counts one skipped element. */
  leaveOut(place: string): void {
    this.#leftOut += 1;
    const at = place.slice(0, MAX_PLACE);
    if (this.#places.has(at) || this.#places.size >= MOST_PLACES) return;
    this.#places.add(at);
    this.report({ partner: this.partner, at });
  }

  /**
   * Stores the status of a response if it rejects the credentials; otherwise stores that the
   * credentials are accepted.
   */
  answered(status: number): void {
    this.#rejectedWith = UNAUTHORIZED.has(status) ? status : null;
  }
}
