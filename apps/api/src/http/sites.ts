import { pathToFileURL } from 'node:url';
import { readSite, type Site } from '@sotto/http-server';
import type { Settings } from '@sotto/relayer';

const WALLET_PATH = '/wallet';
/** Where the page at `/` has the path of the wallet. */
const WALLET_PLACE = 'data-wallet=""';

/** Beneath the wallet, which reads the chain itself. In development the address is no secret. */
const NODE_FILE = 'node.json';

/** Where the operator's page is served; its build names its files beneath. */
const CONSOLE_PATH = '/console';

type SiteSettings = Pick<Settings['http'], 'console' | 'walletPage'>;

/** The page at `/`, the operator's where it is on, and in development a wallet's. */
export function sitesOf(
  settings: SiteSettings,
  nodeUrl: Settings['node']['endpoints'][0]['url'],
): readonly Site[] {
  const ofConsole = settings.console
    ? [{ path: CONSOLE_PATH, ...builtPage(import.meta.resolve('@sotto/console/page/index.html')) }]
    : [];
  return [...publicSites(settings.walletPage, nodeUrl), ...ofConsole];
}

/** The page at `/`, which leads to the wallet where there is one. */
function publicSites(
  walletPage: SiteSettings['walletPage'],
  nodeUrl: Settings['node']['endpoints'][0]['url'],
): readonly Site[] {
  const page = builtPage(import.meta.resolve('@sotto/web/page/index.html'));
  if (walletPage === null) return [{ path: '/', ...page }];
  if (!page.html.includes(WALLET_PLACE)) throw new Error('the page has no place for a wallet');
  const wallet = readSite(pathToFileURL(`${walletPage}/`));
  const node = nodeUrl.reveal();
  return [
    { path: '/', ...page, html: page.html.replace(WALLET_PLACE, `data-wallet="${WALLET_PATH}"`) },
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

const builtPage = (html: string): ReturnType<typeof readSite> => readSite(new URL('.', html));
