import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, type ChildExit, startChild } from './child.ts';
import { onPort } from './free-port.ts';
import { once, type Service } from './lifecycle.ts';
import { localSecrets } from './local-secrets.ts';
import { readyLine } from './ready-line.ts';

/** The address of an S3 object store; path style, because the loopback one does not support virtual hosts. */
export interface ObjectStoreAddress {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
}

/** The S3 store and the mail sink on loopback; they own `<dataDir>/objects` and `<dataDir>/mail`. */
export interface LoopbackServices extends Service {
  readonly s3: ObjectStoreAddress;
  readonly smtpUrl: string;
  readonly mailDir: string;
  pid(): number;
  exited(): Promise<ChildExit>;
  /** Ends both like a crash; `start` starts them again on the same ports. */
  crash(): Promise<void>;
  start(): Promise<void>;
}

export interface LoopbackOptions {
  dataDir: string;
  diesWithLauncher?: boolean;
}

const BUCKET = 'proscenium';

/** Starts the object store, with its bucket, and the mail sink. */
export async function startLoopbackServices(options: LoopbackOptions): Promise<LoopbackServices> {
  const secretAccessKey = localSecrets(options.dataDir).s3SecretAccessKey;
  const mailDir = join(options.dataDir, 'mail');
  const begin = (ports: Ports) => launch(options, secretAccessKey, ports);
  const { port: smtpPort, started } = await onPort(undefined, async (smtp) =>
    onPort(undefined, (s3) => begin({ s3, smtp })),
  );
  const ports = { s3: started.port, smtp: smtpPort };
  const { s3, smtp } = started.started;
  let { child } = started.started;
  return {
    name: 'loopback',
    s3: { endpoint: s3, region: 'us-east-1', accessKeyId: 'local', secretAccessKey, bucket: BUCKET },
    smtpUrl: smtp,
    mailDir,
    pid: () => child.pid,
    exited: () => child.exited,
    crash: () => child.stop('SIGKILL'),
    async start() {
      if (!child.isRunning()) ({ child } = await begin(ports));
    },
    stop: once(() => child.stop()),
  };
}

interface Ports {
  s3: number;
  smtp: number;
}

interface Launched {
  child: Child;
  s3: string;
  smtp: string;
}

async function launch(
  { dataDir, diesWithLauncher }: LoopbackOptions,
  secretAccessKey: string,
  ports: Ports,
): Promise<Launched> {
  const objects = join(dataDir, 'objects');
  const mail = join(dataDir, 'mail');
  for (const directory of [objects, mail]) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const program = fileURLToPath(new URL('./loopback-services.ts', import.meta.url));
  const child = await startChild({
    dataDir,
    name: 'loopback',
    command: process.execPath,
    args: [
      '--disable-warning=DEP0040',
      program,
      '--objects',
      objects,
      '--mail',
      mail,
      '--bucket',
      BUCKET,
      '--s3-port',
      String(ports.s3),
      '--smtp-port',
      String(ports.smtp),
    ],
    env: { PATH: process.env.PATH, S3_ACCESS_KEY_ID: 'local', S3_SECRET_ACCESS_KEY: secretAccessKey },
    output: 'pipe',
    ...(diesWithLauncher === undefined ? {} : { diesWithLauncher }),
  });
  const accept = ({ s3, smtp }: Record<string, unknown>) =>
    typeof s3 === 'string' && typeof smtp === 'string' ? { child, s3, smtp } : undefined;
  return await readyLine(child, accept, { dataDir });
}
