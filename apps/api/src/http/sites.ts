import { pathToFileURL } from 'node:url';
import { readSite, type Site } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';

const WALLET_PATH = '/wallet';
/** Placeholder in the page at `/` that is replaced by the path of the wallet. */
const WALLET_PLACE = 'data-wallet=""';

/**
 * File below the wallet's path that contains the node's address, because the wallet reads the chain
 * itself. The node's address is public only in development.
 */
const NODE_FILE = 'node.json';

/**
 * Path of the operator console. The build of the console refers to its files relative to this path.
 */
const CONSOLE_PATH = '/console';

type SiteSettings = Pick<Settings['http'], 'console' | 'walletPage'>;

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
  return [...publicSites(settings.walletPage, nodeUrl), ...ofConsole];
}

/** Returns the public pages. The page at `/` links to the wallet if a wallet is served. */
function publicSites(
  walletPage: SiteSettings['walletPage'],
  nodeUrl: Settings['node']['endpoints'][0]['url'],
): readonly Site[] {
  const built = import.meta.resolve('@sotto/web/page/index.html');
  const page = builtPage(built);
  // The files of both pages are served below `/`.
  const docs = { path: '/docs', ...builtPage(built, 'docs.html'), files: new Map() };
  if (walletPage === null) return [{ path: '/', ...page }, docs];
  if (!page.html.includes(WALLET_PLACE)) throw new Error('the page has no place for a wallet');
  const wallet = readSite(pathToFileURL(`${walletPage}/`));
  const node = nodeUrl.reveal();
  return [
    { path: '/', ...page, html: page.html.replace(WALLET_PLACE, `data-wallet="${WALLET_PATH}"`) },
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
