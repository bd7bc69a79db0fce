// Whether node_modules is what the lock file asks for. Node built-ins only: it runs before anything is installed.

/** The machine that packages are installed for. */
export function thisMachine() {
  const { glibcVersionRuntime } = process.platform === 'linux' ? process.report.getReport().header : {};
  return {
    os: process.platform,
    cpu: process.arch,
    libc: process.platform === 'linux' ? (glibcVersionRuntime === undefined ? 'musl' : 'glibc') : undefined,
  };
}

/** `lock` is package-lock.json, `installed` what npm wrote down of node_modules at the end of its last run: node_modules/.package-lock.json. */
export function isInstalled(lock, installed, machine) {
  const missing = Object.entries(lock.packages).filter(
    ([path, wanted]) =>
      path.includes('node_modules/') && isFor(wanted, machine) && !isSame(wanted, installed.packages[path]),
  );
  const foreign = Object.keys(installed.packages).filter((path) => lock.packages[path] === undefined);
  return missing.length === 0 && foreign.length === 0;
}

function isSame(wanted, found) {
  return found !== undefined && wanted.version === found.version && wanted.integrity === found.integrity;
}

/** Optional packages are parts for other machines, too. */
function isFor({ os, cpu, libc, optional }, machine) {
  if (optional !== true) return true;
  return matches(os, machine.os) && matches(cpu, machine.cpu) && matches(libc, machine.libc);
}

function matches(list, value) {
  if (list === undefined) return true;
  const refused = list.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  return refused.length > 0 ? !refused.includes(value) : list.includes(value);
}
