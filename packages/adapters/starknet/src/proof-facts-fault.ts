/**
 * Error by which a node rejects a transaction because its proof facts contradict the chain. Source:
 * Starknet's sequencer and devnet, which checks the facts before the account validates.
 */
export interface ProofFactsFault {
  /** Text of the node, without anything before the error. */
  readonly text: string;
  /**
   * True if the node may accept the same facts later: its head is still too close to the base
   * block.
   */
  readonly isTransient: boolean;
}

/** Beginnings of the texts. The first one is a prefix that some nodes omit. */
const FAULT =
  /(?:Invalid proof facts: |ProofFacts parse error: |Virtual OS (?:program|config) hash |The proof block number |Proof block hash |Block hash mismatch for block |Proof version )[^"\\\n]*/;
const TRANSIENT = /\bis too recent\b|\bstored block hash: (?:0x)?0(?!x?[0-9a-f])/;

/** Finds the error in a node's text; null if the text is about something else. */
export function proofFactsFault(text: string): ProofFactsFault | null {
  const fault = FAULT.exec(text)?.[0];
  return fault === undefined ? null : { text: fault, isTransient: TRANSIENT.test(fault) };
}
