import type { Felt, Logger } from '@sotto/kernel';
import {
  FIRST_SIERRA_CHARGED_BY_GAS,
  STEPS_FACTOR,
  isChargedBySteps,
  verifierProblem,
  type ExpectedVerifier,
  type VerifierProblem,
} from '../domain/contract-class.js';
import type { ContractClasses } from '../ports/contract-classes.port.js';

/** A contract that withdrawals go through. */
export interface InspectedContract {
  /** For people: `lane`, `pool`, `verifier`. */
  readonly role: string;
  readonly address: Felt;
}

export interface InspectionPolicy {
  /** Lanes and pools; verifiers are inspected besides. */
  readonly contracts: readonly InspectedContract[];
  readonly verifiers: readonly ExpectedVerifier[];
  /**
   * Classes that were generated from the verification key in use; empty where that is not known.
   */
  readonly classesOfKey: readonly Felt[];
}

/**
 * Holds the contracts that withdrawals go through against what the settings say of them: whether
 * the pools' verifiers check proofs by the key that is checked here, and whether a class makes
 * every withdrawal dearer than it has to be.
 */
export class InspectContracts {
  readonly #inspected = new Set<Felt>();
  #problem: VerifierProblem | 'VERIFIERS_NOT_LOOKED_AT' | null;

  constructor(
    private readonly classes: ContractClasses,
    private readonly policy: InspectionPolicy,
    private readonly logger: Logger,
  ) {
    this.#problem = policy.verifiers.length === 0 ? null : 'VERIFIERS_NOT_LOOKED_AT';
  }

  /**
   * What is wrong with the pools' verifiers, as it was last seen; null when nothing is, and where
   * none is named.
   */
  problem(): VerifierProblem | 'VERIFIERS_NOT_LOOKED_AT' | null {
    return this.#problem;
  }

  /**
   * Looks at all of them; the Sierra of each class once. Rejects with a `DomainError` when the node
   * can't answer; what was seen before stands then.
   */
  async execute(): Promise<void> {
    const { contracts, verifiers, classesOfKey } = this.policy;
    const all = [...verifiers.map(({ address }) => ({ role: 'verifier', address })), ...contracts];
    const hashes = await this.classes.hashesAt(all.map(({ address }) => address));
    const problems = verifiers.map((verifier, index) =>
      verifierProblem(verifier, hashes[index] ?? null, classesOfKey),
    );
    this.#note(problems);
    for (const [index, contract] of all.entries()) {
      const hash = hashes[index] ?? null;
      if (hash !== null) await this.#inspect(contract, hash);
    }
  }

  #note(problems: readonly (VerifierProblem | null)[]): void {
    const index = problems.findIndex((problem) => problem !== null);
    const problem = problems[index] ?? null;
    if (problem !== null && problem !== this.#problem) {
      this.logger.error(
        { problem, verifier: this.policy.verifiers[index]?.address },
        'a verifier on the chain is not the one that the settings and the verification key speak of: not ready',
      );
    }
    this.#problem = problem;
  }

  async #inspect({ role, address }: InspectedContract, classHash: Felt): Promise<void> {
    if (this.#inspected.has(classHash)) return;
    const version = await this.classes.sierraVersionOf(classHash);
    this.#inspected.add(classHash);
    if (!isChargedBySteps(version)) return;
    this.logger.warn(
      { role, address, classHash, sierra: version?.join('.') ?? null },
      `a class below Sierra ${FIRST_SIERRA_CHARGED_BY_GAS.join('.')} is charged by steps, and so is all that is called through it: a withdrawal costs up to ${STEPS_FACTOR} times as much gas (docs/measured/gas.md)`,
    );
  }
}
