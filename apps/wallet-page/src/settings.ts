/** What the development stack gives this page. Keys of it are public: never for money. */
export interface DevelopmentSettings {
  /** Starknet's JSON-RPC. */
  readonly nodeUrl: string;
  /** An account with money that pays deposits, 0x hex. */
  readonly depositor: { readonly address: string; readonly privateKey: string };
  /** Who is paid unless the user names another, 0x hex. */
  readonly recipient: string;
}

/**
 * The service says where its node is, and the stack which accounts there are.
 * @throws Error when one of them is not to be had
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
  if (!response.ok) throw new Error(`the development stack gives this page no ${name}`);
  return response.json();
}
