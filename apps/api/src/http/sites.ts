import { pathToFileURL } from 'node:url';
import { readSite, type Site } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';

const WALLET_PATH = '/wallet';

/**
 * File below the wallet's path that contains the node's address, because the wallet reads the chain
 * itself. The node's address is public only in development.
 */
const NODE_FILE = 'node.json';

/**
 * Path of the operator console. The build of the console refers to its files relative to this path.
 */
const CONSOLE_PATH = '/console';

type SiteSettings = Pick<Settings['http'], 'console' | 'walletPage' | 'operatorName'>;

/**
 * Returns the sites that the service serves: the page at `/`, the interface at `/docs`, the
 * operator console if enabled, and a wallet in development.
 */
export function sitesOf(
  settings: SiteSettings,
  nodeUrl: Settings['node']['endpoints'][0]['url'],
): readonly Site[] {
  const ofConsole = settings.console
    ? [{ path: CONSOLE_PATH, ...builtPage(import.meta.resolve('@sotto/console/page/index.html')) }]
    : [];
  return [...publicSites(settings, nodeUrl), ...ofConsole];
}

/** Returns the public pages. The page at `/` links to the wallet if a wallet is served. */
function publicSites(
  { walletPage, operatorName }: SiteSettings,
  nodeUrl: Settings['node']['endpoints'][0]['url'],
): readonly Site[] {
  const built = import.meta.resolve('@sotto/web/page/index.html');
  const { html, files } = builtPage(built);
  const page = { html: filled(html, 'operator', operatorName ?? ''), files };
  // The files of both pages are served below `/`.
  const docs = { path: '/docs', ...builtPage(built, 'docs.html'), files: new Map() };
  if (walletPage === null) return [{ path: '/', ...page }, docs];
  const wallet = readSite(pathToFileURL(`${walletPage}/`));
  const node = nodeUrl.reveal();
  return [
    { path: '/', ...page, html: filled(page.html, 'wallet', WALLET_PATH) },
    docs,
    {
      path: WALLET_PATH,
      html: wallet.html,
      files: new Map([
        ...wallet.files,
        [NODE_FILE, Buffer.from(JSON.stringify({ nodeUrl: node }))],
      ]),
      connectsTo: [new URL(node).origin],
      computes: true,
    },
  ];
}

const builtPage = (html: string, name?: string): ReturnType<typeof readSite> =>
  readSite(new URL('.', html), name);

/**
 * Writes a value into an empty attribute of the page.
 * @throws Error if the page has no such attribute
 */
function filled(html: string, name: 'wallet' | 'operator', value: string): string {
  const empty = `data-${name}=""`;
  if (!html.includes(empty)) throw new Error(`the page has no place for the ${name}`);
  const escaped = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return html.replace(empty, () => `data-${name}="${escaped}"`);
}
