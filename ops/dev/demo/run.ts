import { join } from 'node:path';
import { linkAbort } from '../../../supervisors/concurrency/linked-abort.ts';
import { formatTable } from '../../operate/text-table.ts';
import { ledgerOf } from '../../simulator/control-client.ts';
import { waitUntil } from '../stack/lifecycle.ts';
import { type AgentClient, signInAgent } from './agent.ts';
import { type DemoOptions, UsageError } from './arguments.ts';
import { directJobs, holdPictures } from './direction.ts';
import { type DemoJob, elapsedMs, type Refused, seconds } from './job.ts';
import { createListing, paceProvider, reviewAll, submitAll, uploadPhotos } from './listing.ts';
import { type Check, compareLedger, formatLedgerSummary, isPublicRight, judge } from './outcome.ts';
import { prepareOutput, writePictures, writeResult } from './output.ts';
import { findPhotos } from './photos.ts';
import { type DemoPlatform, logFileIn, startDemoPlatform } from './platform.ts';
import { createProgress, type Progress } from './progress.ts';
import { openRecords, type Records } from './records.ts';

/** Maximum time between the approval and the rebuilt search document. */
const INDEX_PATIENCE_MS = 15_000;

type Write = (text: string) => void;

interface Run {
  options: DemoOptions;
  write: Write;
  progress: Progress;
  platform: DemoPlatform;
  records: Records;
  agent: AgentClient;
  propertyId: string;
  jobs: DemoJob[];
  refused: Refused[];
  /** When the jobs were submitted, ms since the epoch. */
  since: number;
}

/**
 * The whole demo. When it is interrupted, or a part of the platform ends unexpectedly, it stops everything and
 * rejects.
 * @param interrupted aborts with the reason to reject with
 * @returns whether the run had the expected result
 * @throws UsageError before anything was started, StackError, Error
 */
export async function runDemo(
  options: DemoOptions,
  { write, interrupted }: { write: Write; interrupted: AbortSignal },
): Promise<boolean> {
  const photos = await findPhotos(options);
  await prepareOutput(options.out);
  const startedAt = Date.now();
  const progress = createProgress(write, startedAt);
  const say = (text: string) => progress.note(text, Date.now());
  say(`Starting the platform for ${photos.length} photo${photos.length === 1 ? '' : 's'}.`);
  const platform = await startDemoPlatform({
    data: options.data,
    logFile: logFileIn(options.out),
    announce: say,
  });
  const ended = linkAbort(interrupted);
  const { signal } = ended;
  void platform.failed.then((reason) =>
    ended.abort(new Error(`${reason}; its lines are in ${logFileIn(options.out)}.`)),
  );
  const work = async () => {
    const records = await openRecords(platform.stack);
    try {
      const prepared = await prepare({ options, write, progress, platform, records }, photos, say);
      await directJobs({ ...prepared, api: prepared.agent.api, crash: options.crash, signal });
      return await conclude(prepared);
    } finally {
      await records.close();
    }
  };
  try {
    signal.throwIfAborted();
    return await Promise.race([work(), rejection(signal)]);
  } finally {
    await platform.stop();
  }
}

/** Everything up to the submission of all jobs. */
async function prepare(
  given: Pick<Run, 'options' | 'write' | 'progress' | 'platform' | 'records'>,
  photos: Awaited<ReturnType<typeof findPhotos>>,
  say: (text: string) => void,
): Promise<Run> {
  const { platform } = given;
  const { url, stack } = platform;
  say(
    `The platform runs: the site ${url} (the API host as well), and worker process ${platform.workerPid()}.`,
  );
  const agent = await signInAgent({ url, mailDir: stack.mailDir });
  say(`Signed in as ${agent.email} with the code from the mail; now an agent.`);
  const propertyId = await createListing(agent);
  const { uploaded, refused } = await uploadPhotos(agent, propertyId, photos);
  for (const { photo, why } of refused) say(`${photo.fileName} was refused: ${why}`);
  if (uploaded.length === 0)
    throw new UsageError('PHOTOS', 'None of the files was accepted; there is nothing to stage.');
  const providerUrl = stack.providerBaseUrl ?? '';
  await paceProvider(providerUrl, uploaded.length);
  await holdPictures(platform);
  const since = Date.now();
  const jobs = await submitAll(agent, uploaded);
  say(`Listing ${propertyId}: ${uploaded.length} photos uploaded, ${jobs.length} jobs submitted.`);
  say(`Its page, while the demo runs: ${url}/properties/${propertyId}`);
  return { ...given, agent, propertyId, jobs, refused, since };
}

/** Reviews, ledger, table, files. */
async function conclude(run: Run): Promise<boolean> {
  const { options, write, progress, platform, records, agent, propertyId, jobs, refused, since } = run;
  progress.show(jobs, Date.now());
  await writePictures(options.out, jobs, agent);
  await reviewAll(agent, jobs);
  const document = await settledDocument(run);
  const ledger = await ledgerOf(platform.stack.providerBaseUrl ?? '');
  const ledgerSummary = compareLedger(ledger, await records.attempts(propertyId), since);
  const checks = judge({ jobs, ledgerSummary, document, crashed: options.crash });
  const told = { crashed: options.crash, ledgerText: formatLedgerSummary(ledgerSummary) };
  const files = await writeResult(options.out, {
    startedAt: since,
    ...told,
    jobs,
    refused,
    checks,
    ledgerSummary,
  });
  const sections: [string, string[]][] = [
    ['Jobs', jobTable(jobs)],
    ['Outcome', checks.map(inALine)],
    ['Written', [...files, join(options.out, 'before'), join(options.out, 'after')]],
  ];
  for (const [title, lines] of sections) {
    write(`\n${title}\n\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
  return checks.every(({ holds }) => holds);
}

/** The table of all jobs. */
function jobTable(jobs: readonly DemoJob[]): string[] {
  const headings = ['#', 'Job', 'Photo', 'Room', 'Style', 'Attempts', 'Time', 'Status', 'Review'];
  const rows = jobs.map((job) => [
    String(job.number),
    job.aiJobId.slice(0, 8),
    job.photo.name,
    job.photo.room,
    job.photo.style,
    String(job.seen.attempts.length),
    seconds(elapsedMs(job, Date.now())),
    job.seen.errorCode === null ? job.seen.status : `${job.seen.status} (${job.seen.errorCode})`,
    job.review ?? '–',
  ]);
  return formatTable(headings, rows, { right: [0, 5, 6] });
}

/** The document with the results of the reviews, or the last one read when they never appear. */
async function settledDocument({ records, propertyId, jobs }: Run): Promise<Record<string, string>> {
  let document: Record<string, string> = {};
  const settled = async () => {
    document = await records.searchDocument(propertyId);
    return Object.keys(document).length > 0 && isPublicRight(jobs, document);
  };
  await waitUntil(settled, { timeoutMs: INDEX_PATIENCE_MS, intervalMs: 100 });
  return document;
}

function inALine({ holds, what }: Check): string {
  return `${holds ? '✓' : '✗'} ${what}`;
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(signal.reason);
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
