import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineFolder, MissingError } from './engine-folder.ts';
import { type RunningEngine, startEngine } from './engine-process.ts';
import { findJdk } from './jdk.ts';

const DYNOXIDE = fileURLToPath(new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url));

/** The version of the stack (lib/search-index.ts). The nightly job of `ci.yml` runs the tests on the next one too. */
const OPENSEARCH_VERSION = process.env.OPENSEARCH_VERSION || '3.5.0';

/** The first JDK that knows `--sun-misc-unsafe-memory-access`; older ones do not start with it. */
const FIRST_WITH_UNSAFE_OPTION = 23;

/** The servers that tests run on. The environment variable `variable` may hold the URL of a running one. */
export const engines = {
  opensearch: { variable: 'OPENSEARCH_URL', start: startOpenSearch },
  elasticmq: { variable: 'SQS_URL', start: startElasticMq },
  s3mock: { variable: 'S3_URL', start: startS3Mock },
  dynoxide: { variable: 'DYNAMODB_URL', start: startDynoxide },
} as const satisfies Record<string, { readonly variable: string; readonly start: () => Promise<RunningEngine> }>;

export type EngineName = keyof typeof engines;

export const hasDynoxide = (): boolean => existsSync(DYNOXIDE);

async function startOpenSearch(dataFolder?: string): Promise<RunningEngine> {
  const { java, folder } = await prepared('opensearch', { 'opensearch.version': OPENSEARCH_VERSION });
  const options = ['-Xms1g', '-Xmx1g', `-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`];
  const command = (data: string) => [...java, ...options, '-cp', `${folder}/lib/*`, 'OpenSearchEngine', data];
  return startEngine('OpenSearch', command, /^READY (\d+)$/, dataFolder);
}

async function startElasticMq(): Promise<RunningEngine> {
  const { java, folder } = await prepared('elasticmq');
  const options = ['-Drest-sqs.bind-hostname=127.0.0.1', '-Drest-sqs.bind-port=0', '-Drest-stats.enabled=false'];
  const command = () => [...java, '-Xmx128m', ...options, '-cp', `${folder}/lib/*`, 'org.elasticmq.server.Main'];
  return startEngine('ElasticMQ', command, /Started SQS rest server, bind address 127\.0\.0\.1:(\d+)/);
}

async function startS3Mock(): Promise<RunningEngine> {
  const { java, folder } = await prepared('s3mock');
  const jar = join(folder, 'lib', 's3mock-exec.jar');
  const options = ['--server.address=127.0.0.1', '--server.port=0', '--http.port=0'];
  const command = (data: string) => [
    ...[...java, '-Xmx128m', '-jar', jar, ...options],
    `--com.adobe.testing.s3mock.store.root=${data}`,
  ];
  return startEngine('S3Mock', command, /Tomcat started on ports .*\b(\d+) \(http\)/);
}

async function startDynoxide(): Promise<RunningEngine> {
  if (!hasDynoxide())
    throw new MissingError('dynoxide is not available for this platform. Set DYNAMODB_URL to the URL of a DynamoDB.');
  const port = String(await freePort());
  return startEngine(
    'dynoxide',
    () => [DYNOXIDE, '--port', port],
    /^Dynoxide listening on http:\/\/127\.0\.0\.1:(\d+)/,
  );
}

/** The engine's folder and its Java command, with options for a short start rather than for speed. */
async function prepared(name: string, properties: Readonly<Record<string, string>> = {}) {
  const jdk = findJdk();
  if (jdk === undefined) {
    throw new MissingError(
      'A JDK of version 21 or later is missing. Install one, or set ENGINES_JAVA_HOME to its folder.',
    );
  }
  const folder = await engineFolder(name, jdk, properties);
  const options = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '--enable-native-access=ALL-UNNAMED'];
  // Class data sharing: the first start writes the archive, later ones load their classes from it.
  const archive = ['-XX:+AutoCreateSharedArchive', `-XX:SharedArchiveFile=${join(folder, 'classes.jsa')}`];
  const memory = jdk.version >= FIRST_WITH_UNSAFE_OPTION ? ['--sun-misc-unsafe-memory-access=allow'] : [];
  return { java: [join(jdk.home, 'bin', 'java'), ...options, ...archive, ...memory], folder };
}

/** Returns a port for a server that cannot choose one itself. The port was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === 'object' ? address.port : 0;
}
