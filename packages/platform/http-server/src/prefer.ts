/**
 * Returns true if the caller prefers an asynchronous reply. RFC 7240: preferences are separated by
 * commas, and their names are case-insensitive.
 */
export function prefersAsync({ prefer = '' }: { readonly prefer?: string | undefined }): boolean {
  return prefer
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async');
}
