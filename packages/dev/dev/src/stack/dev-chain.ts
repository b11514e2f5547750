import { readFileSync } from 'node:fs';
import { forgeUnderDevelopmentKey, type PublicSignals, type SetupKey } from '@sotto/load-kit';
import { hashInvoke } from '@sotto/process-kit';
import { buildGenesis, startSandbox, type Control, type Sandbox } from '@sotto/sandbox';

/** Sandbox in this process, whose pools verify proofs with the development key. */
export class DevChain {
  private constructor(
    private readonly sandbox: Sandbox,
    private readonly key: SetupKey,
  ) {}

  /** Starts the chain. @param port port of the node; 0 selects any free port */
  static async start(host: string, port: number, verificationKeyFile: string): Promise<DevChain> {
    const key: SetupKey = JSON.parse(readFileSync(verificationKeyFile, 'utf8'));
    const sandbox = await startSandbox({
      // A private action needs a base block that is 10 blocks old.
      genesis: buildGenesis({ verificationKey: key, emptyBlocks: 12 }),
      host,
      port,
      hashInvoke,
    });
    return new DevChain(sandbox, key);
  }

  get control(): Control {
    return this.sandbox.control;
  }

  get urls() {
    const { rpcUrl, aggregatorUrl, bridgeUrl, solverControlUrl, rewardsUrl } = this.sandbox;
    const controlUrl = `${rpcUrl}/control`;
    return { nodeUrl: rpcUrl, controlUrl, aggregatorUrl, bridgeUrl, solverControlUrl, rewardsUrl };
  }

  /** Returns the calldata of a forged proof for any statement. */
  forge(signals: PublicSignals): readonly string[] {
    return forgeUnderDevelopmentKey(this.key, signals);
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }
}
