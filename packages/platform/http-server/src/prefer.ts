/**
 * Returns true if the caller prefers an asynchronous response. According to RFC 7240, commas
 * separate preferences, and names of preferences are case-insensitive.
 */
export function prefersAsync({ prefer = '' }: { readonly prefer?: string | undefined }): boolean {
  return prefer
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
