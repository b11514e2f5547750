import type { Clock } from '@sotto/kernel';
import { reportTransfer, type TransferStatus } from '../domain/transfer-status.js';
import { UNSEEN, advance, hasEnded } from '../domain/transfer.js';
import { TransferNotFound } from '../errors.js';
import type { BridgeProtocol } from '../ports/bridge-protocol.port.js';
import type { TransferMemory } from '../ports/transfer-memory.port.js';

/** Ids of protocols are short words without spaces. */
const TRANSACTION_ID = /^[\x21-\x7e]{1,256}$/;

/** How far a transfer has come: what the protocol says now, on top of everything that was seen before. */
export class GetTransferStatus {
  constructor(
    private readonly protocol: BridgeProtocol,
    private readonly memory: TransferMemory,
    private readonly clock: Pick<Clock, 'nowMs'>,
  ) {}

  /**
   * A transfer that has ended is answered from memory, one that the protocol has forgotten as well.
   * @throws TransferNotFound when neither knows the id; faults of protocol and memory
   */
  async execute({ transactionId }: { readonly transactionId: string }): Promise<TransferStatus> {
    if (!TRANSACTION_ID.test(transactionId)) throw new TransferNotFound();
    const remembered = await this.memory.recall(transactionId);
    if (remembered !== null && hasEnded(remembered)) return reportTransfer(remembered);

    const sighting = await this.protocol.status(transactionId);
    if (sighting === null) {
      if (remembered === null) throw new TransferNotFound();
      return reportTransfer(remembered);
    }
    const nowMs = this.clock.nowMs();
    const nowSeconds = Math.floor(nowMs / 1_000);
    const known = remembered ?? UNSEEN;
    if (advance(known, sighting, nowSeconds) === known) return reportTransfer(known);
    const advanced = await this.memory.update(transactionId, nowMs, (present) => advance(present ?? UNSEEN, sighting, nowSeconds));
    return reportTransfer(advanced);
  }
}
