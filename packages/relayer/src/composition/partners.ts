import { PartnerFindings, type PartnerFinding } from '@sotto/http-client';
import type { Logger } from '@sotto/kernel';

/** Partners whose replies are counted, by their names in metrics and alerts. */
const PARTNERS = ['aggregator', 'prices', 'exchange', 'rewards', 'bridge'] as const;
/** Name of a partner. Sources of daily closes are partners too, and there may be several. */
export type PartnerName = (typeof PARTNERS)[number] | `closes-${number}`;

/** Returns the name of a source of daily closes. The source's closes are stored under this name. */
export const closesName = (index: number): PartnerName => `closes-${index + 1}`;

/** Findings about the replies of each partner. All adapters of the process share one object. */
export class Partners {
  readonly #findings: ReadonlyMap<string, PartnerFindings>;

  constructor(logger: Logger, closes: readonly PartnerName[]) {
    const report = ({ partner, at }: PartnerFinding): void =>
      logger.warn({ partner, at }, 'an element of a partner’s answer was left out');
    this.#findings = new Map(
      [...PARTNERS, ...closes].map((name) => [name, new PartnerFindings(name, report)]),
    );
  }

  get all(): readonly PartnerFindings[] {
    return [...this.#findings.values()];
  }

  of(name: PartnerName): PartnerFindings {
    const findings = this.#findings.get(name);
    if (findings === undefined) throw new Error(`${name} is no partner`);
    return findings;
  }
}
