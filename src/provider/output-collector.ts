import { PUT_TIMEOUT_MS } from '../../machines/limits.ts';
import type {
  CollectAnswer,
  OutputCollector,
  Reporter,
  TraceAttributes,
  Tracer,
} from '../../supervisors/ports.ts';
import { UNTRACED } from '../../supervisors/supervision/untraced.ts';
import { PublicError } from '../errors/errors.ts';
import type { Decoder } from '../images/decoding/decoder.ts';
import { OutputRefused } from '../images/decoding/output-refused.ts';
import { type ObjectStorage, StorageError } from '../storage/object-storage.ts';
import { type Download, downloadOutput } from './output-download.ts';

/**
 * Download, check, put: the runtime's `OutputCollector`. The bytes are stored unchanged after their format and size
 * are checked. A repeated put of the same bytes under the same key is harmless.
 */
export function createOutputCollector(options: {
  storage: ObjectStorage;
  decoder: Decoder;
  allowedHosts: readonly string[];
  apiToken: string;
  reporter: Reporter;
  tracer?: Tracer;
}): OutputCollector {
  const { storage, decoder, allowedHosts, apiToken, reporter, tracer = UNTRACED } = options;
  return {
    async collect({ outputUrl, objectKey, expected, signal }): Promise<CollectAnswer> {
      const refused = (error: OutputRefused, downloadBytes: number): CollectAnswer => {
        reporter.problem('an output was refused', error, { objectKey, downloadBytes });
        return { kind: 'refused', errorCode: error.errorCode, downloadBytes };
      };
      const downloaded = await tracer.span(DOWNLOAD, async (span) => {
        const answer = await downloadOutput(outputUrl, { allowedHosts, apiToken, signal });
        span.note(outcomeOf(answer));
        return answer;
      });
      if (downloaded.kind === 'too-large')
        return refused(new OutputRefused('OUTPUT_TOO_LARGE', 'more than 20 MiB'), downloaded.bytes);
      if (downloaded.kind === 'host-refused') {
        const { host } = downloaded;
        reporter.problem('an output has an address that is not allowed', new Error(host), { objectKey });
        return { kind: 'refused', errorCode: 'OUTPUT_HOST_REFUSED', downloadBytes: 0, host };
      }
      if (downloaded.kind !== 'bytes') {
        const missing = downloaded.kind === 'missing';
        const why = missing ? 'status 404' : downloaded.why;
        reporter.problem('an output could not be downloaded', new Error(why), { objectKey });
        return { kind: missing ? 'output-missing' : 'download-failed' };
      }
      try {
        const output = await decoder.run('staged-output', [expected], {
          load: () => downloaded.bytes,
          signal,
          about: { objectKey },
        });
        await storage.put(objectKey, downloaded.bytes, {
          contentType: `image/${output.format}`,
          timeoutMs: PUT_TIMEOUT_MS,
          signal,
        });
        // A store may acknowledge an object and lose it: the row is written only for an object that exists.
        if (!(await storage.exists(objectKey, { signal }))) return { kind: 'storage-failed' };
        return { kind: 'stored', output };
      } catch (error) {
        if (error instanceof OutputRefused) return refused(error, downloaded.bytes.byteLength);
        return failed(error, { objectKey, reporter });
      }
    },
  };
}

const DOWNLOAD = {
  name: 'provider download',
  kind: 'client',
  attributes: { 'http.request.method': 'GET' },
} as const;

/** Never the address, because it is signed. */
function outcomeOf(answer: Download): TraceAttributes {
  const outcome = { 'proscenium.outcome': answer.kind };
  if (answer.kind === 'bytes') return { ...outcome, 'proscenium.object.bytes': answer.bytes.byteLength };
  return answer.kind === 'failed' ? { ...outcome, 'proscenium.reason': answer.why } : outcome;
}

function failed(
  error: unknown,
  { objectKey, reporter }: { objectKey: string; reporter: Reporter },
): CollectAnswer {
  // The fault is ours, not the picture's: the same picture may be stored later.
  const isOurs = error instanceof PublicError && error.code === 'SERVICE_UNAVAILABLE';
  if (isOurs || error instanceof StorageError) {
    reporter.problem('an output could not be stored', error, { objectKey });
    return { kind: 'storage-failed' };
  }
  throw error;
}
