import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST = 21;
const FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines'];

export type Jdk = { readonly home: string; readonly version: number };

/** A JDK of version 21 or later: the one that `ENGINES_JAVA_HOME` names, else `JAVA_HOME`'s, else one that is installed. */
export function findJdk(): Jdk | undefined {
  const { ENGINES_JAVA_HOME, JAVA_HOME } = process.env;
  const homes = ENGINES_JAVA_HOME ? [ENGINES_JAVA_HOME] : [...(JAVA_HOME ? [JAVA_HOME] : []), ...installed()];
  return homes
    .map((home) => ({ home, version: versionOf(home) }))
    .find(({ home, version }) => version >= OLDEST && existsSync(join(home, 'bin', 'javac')));
}

function installed(): readonly string[] {
  return FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => [join(folder, name), join(folder, name, 'Contents', 'Home')]),
  );
}

/** The first number of the version that the JDK's `release` file tells; 0 if it tells none. */
function versionOf(home: string): number {
  const release = join(home, 'release');
  if (!existsSync(release)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] ?? 0);
}
