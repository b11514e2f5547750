/** Values of a query string. Several values of one name become repeated keys. */
export type QueryParams = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns the URL of `path` below the base URL. `params` follow the query parameters of the base
 * URL.
 */
export function targetUrl(baseUrl: string, path: string, params: QueryParams): string {
  const url = new URL(baseUrl);
  if (path !== '') url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  for (const [name, values] of Object.entries(params)) {
    for (const value of typeof values === 'string' ? [values] : values)
      url.searchParams.append(name, value);
  }
  return url.href;
}
