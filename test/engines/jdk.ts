import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIN_VERSION = 21;
const FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines'];

export type Jdk = { readonly home: string; readonly version: number };

/** A JDK of version 21 or later: that of ENGINES_JAVA_HOME if set, else that of JAVA_HOME, else an installed one. */
export function findJdk(): Jdk | undefined {
  const { ENGINES_JAVA_HOME, JAVA_HOME } = process.env;
  const homes = ENGINES_JAVA_HOME ? [ENGINES_JAVA_HOME] : [...(JAVA_HOME ? [JAVA_HOME] : []), ...installed()];
  return homes
    .map((home) => ({ home, version: versionOf(home) }))
    .find(({ home, version }) => version >= MIN_VERSION && existsSync(join(home, 'bin', 'javac')));
}

function installed(): readonly string[] {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')]),
  );
}

function versionOf(home: string): number {
  const release = join(home, 'release');
  if (!existsSync(release)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] ?? 0);
}
