import type { JobAggregate } from '../../../../persistence/actors/rows/job-row.ts';
import { createProviderClient } from '../../../../src/provider/client.ts';
import { createProviderHttp, type ProviderHttp } from '../../../../src/provider/http.ts';
import { createPredictionLister } from '../../../../src/provider/prediction-lister.ts';
import type { PredictionLister, Provider } from '../../../../supervisors/ports.ts';
import { listenForSockets } from '../../../support/http/socket-server.ts';
import { createRecordingReporter, type RecordingReporter } from '../../../support/worlds/recording-ports.ts';

/** Our provider client, and a provider that answers with the given bytes. */
export interface ProviderWorld {
  readonly provider: Provider;
  readonly lister: PredictionLister;
  readonly reporter: RecordingReporter;
  readonly port: number;
  /** A foreign host, to which nothing may ever be sent. */
  readonly elsewhere: { readonly port: number; readonly heard: string[] };
  readonly token: string;
  /** The next connections get these bytes in turn, then are closed; the last bytes serve all later ones. */
  answerWith(answers: readonly Buffer[]): void;
  close(): Promise<void>;
}

const TOKEN = 'r8_never_to_be_seen';

export async function openProviderWorld(): Promise<ProviderWorld> {
  let answers: readonly Buffer[] = [];
  const heard: string[] = [];
  const provider = await listenForSockets((socket) => {
    socket.once('data', () => {
      const [first, ...rest] = answers;
      if (rest.length > 0) answers = rest;
      socket.end(first ?? Buffer.alloc(0));
    });
  });
  const elsewhere = await listenForSockets((socket) => {
    socket.on('data', (chunk) => {
      heard.push(chunk.toString('latin1'));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
    });
  });
  const http: ProviderHttp = createProviderHttp({
    baseUrl: `http://127.0.0.1:${provider.port}`,
    apiToken: TOKEN,
  });
  const reporter = createRecordingReporter();
  return {
    reporter,
    port: provider.port,
    elsewhere: { port: elsewhere.port, heard },
    token: TOKEN,
    provider: createProviderClient({
      http,
      reporter,
      webhookBaseUrl: 'https://api.example.com',
      userHashSecret: '00'.repeat(32),
      presignInput: async () => 'https://objects.example.com/in.jpg',
    }),
    lister: createPredictionLister({ http, reporter }),
    answerWith(next) {
      answers = next;
    },
    async close() {
      await http.close();
      await provider.close();
      await elsewhere.close();
    },
  };
}

/** The parts of a job that a purchase needs. */
export const TEXT_JOB = {
  job: { kind: 'descriptionJob', id: 'job', details: { providerModel: 'openai/gpt-5-mini', prompt: 'p' } },
} as unknown as JobAggregate;
export const JOB = {
  job: {
    kind: 'stagingJob',
    id: 'job',
    details: {
      providerModel: 'openai/gpt-image-2',
      providerInputKey: 'inputs/a.jpg',
      prompt: 'p',
      quality: 'low',
      framing: 'fixed',
      aspectRatio: '1:1',
      pad: null,
      outputFormat: 'webp',
      outputCompression: 80,
      requestedByUserId: null,
    },
  },
} as unknown as JobAggregate;
