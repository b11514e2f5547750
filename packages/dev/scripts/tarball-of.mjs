/** Returns the file name of a package's tarball, as pnpm and npm name it. */
export const tarballOf = (name, version) =>
  `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
