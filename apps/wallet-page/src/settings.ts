/** Settings that the development stack provides. The keys are public: never use them for money. */
export interface DevelopmentSettings {
  /** URL of Starknet's JSON-RPC. */
  readonly nodeUrl: string;
  /** Account with funds that pays the deposits, in 0x hex. */
  readonly depositor: { readonly address: string; readonly privateKey: string };
  /** Address of the default recipient, in 0x hex. */
  readonly recipient: string;
}

/**
 * Reads the node's URL from the service, and the accounts from the stack's file.
 * @throws Error if the URL or the accounts are unavailable
 */
export async function readSettings(): Promise<DevelopmentSettings> {
  const [node, accounts] = await Promise.all([
    json<Pick<DevelopmentSettings, 'nodeUrl'>>('node.json'),
    json<Omit<DevelopmentSettings, 'nodeUrl'>>('accounts.json'),
  ]);
  return { ...node, ...accounts };
}

async function json<T>(name: string): Promise<T> {
  const response = await fetch(`${import.meta.env.BASE_URL}${name}`).catch((cause: unknown) => {
    throw new Error('the service does not answer', { cause });
  });
  if (!response.ok) throw new Error(`the development stack has no ${name} for this page`);
  return response.json();
}
