import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type FeedPosition, readFeed } from '../../../persistence/feeds/feed-queries.ts';
import {
  type ClaimedPicture,
  claimPicture,
  hasUncheckedPhotos,
  keepPicture,
  pausePictures,
  postponePicture,
  refusePicture,
  takePicture,
} from '../../../persistence/feeds/picture-downloads.ts';
import { NO_GROWTH_LIMITS } from '../../../persistence/growth/growth-counts.ts';
import { stagedPictureNamedBy } from '../../../persistence/images/own-marks.ts';
import type { Chance, Reporter } from '../../../supervisors/ports.ts';
import type { PublicError } from '../../errors/errors.ts';
import { publicErrorFrom } from '../../errors/outage.ts';
import type { Decoder } from '../../images/decoding/decoder.ts';
import type { PreparedPhoto } from '../../images/decoding/photo-intake.ts';
import { type StoringServices, storeDecoded } from '../../images/uploads/store-decoded.ts';
import type { FeedProfile } from '../profiles/profile-schema.ts';
import { FeedError, type FeedRate, type FeedSource } from '../reading/feed-reading.ts';
import { accountOf, sourceOf } from '../turns/feed-step.ts';
import { DownloadFailed, type PictureClient } from './picture-fetch.ts';

/**
 * One picture of a feed: at most one download and one transaction (docs/feeds-in.md#pictures). Claim, download, decode and
 * store it by the road of uploads; whatever ends in between leaves the claim, which ends by itself, and objects that are
 * already in the deletion outbox.
 */
export interface PictureStepPorts extends StoringServices {
  pool: Pool;
  chance: Pick<Chance, 'id'>;
  reporter: Reporter;
  decoder: Pick<Decoder, 'run'>;
  client: Pick<PictureClient, 'fetch'>;
  profileOf(name: string): FeedProfile;
  secretOf(name: string): string | null;
  rateOf(account: string, profile: FeedProfile, signal: AbortSignal): FeedRate;
  count(outcome: PictureOutcome): void;
}

/** What became of a download: a new picture, the one that is here, to be tried again, or no picture. */
type PictureOutcome = 'taken' | 'same' | 'failed' | 'refused';

/** A picture that cannot be had is tried so often; each wait is four times as long as the one before, from a minute. */
export const MOST_ATTEMPTS = 6;
const RETRY_MS = 60_000;
const SPREAD = 4;
/** After an outage of ours. */
const OUTAGE_MS = 15_000;
/** While so many photos wait for their verdict, no more are added. */
const MOST_UNCHECKED = 50;

interface Scene {
  ports: PictureStepPorts;
  feed: FeedPosition;
  source: FeedSource;
  claimed: ClaimedPicture;
  signal: AbortSignal;
}

/**
 * `MORE`: there may be another one now. `REST`: not before the next sweep.
 * @throws the error of an outage of ours, so that the sweep waits
 */
export async function stepPicture(
  ports: PictureStepPorts,
  feedId: string,
  signal: AbortSignal,
): Promise<'MORE' | 'REST'> {
  const feed = await readFeed(ports.pool, feedId);
  if (feed === null || (await hasUncheckedPhotos(ports.pool, MOST_UNCHECKED))) return 'REST';
  const claimed = await claimPicture(ports.pool, { feedId, claim: ports.chance.id() });
  if (claimed === null) return 'REST';
  const scene = { ports, feed, source: sourceOf(ports, feed), claimed, signal };
  try {
    const file = await download(scene);
    if (file === null) return 'REST';
    await take(scene, file);
    return 'MORE';
  } catch (error) {
    return failed(scene, error);
  }
}

/** The bytes; null when the rate has no place now. */
async function download({ ports, feed, source, claimed, signal }: Scene): Promise<Buffer | null> {
  const { profile } = source;
  const rate = ports.rateOf(accountOf(feed), profile, signal);
  const userAgent = profile.media.userAgentIsToken ? source.secret() : (profile.headers['user-agent'] ?? '');
  const turn = await rate.take();
  if (!('place' in turn)) {
    await postponePicture(ports.pool, claimed, { inMs: 0, counts: false });
    return null;
  }
  let bytes = 0;
  const received = (more: number) => {
    bytes += more;
  };
  try {
    return await ports.client.fetch({ url: claimed.url, userAgent, signal, received });
  } finally {
    await rate.release(turn.place, bytes);
  }
}

async function take(scene: Scene, file: Buffer): Promise<void> {
  const { ports, claimed, signal } = scene;
  const { pool } = ports;
  const checksum = createHash('sha256').update(file).digest('hex');
  if (checksum === claimed.knownChecksum) {
    await keepPicture(pool, claimed);
    return ports.count('same');
  }
  const prepared = await ports.decoder.run('photo', [ports.settings.providerInputs.framing], {
    load: () => file,
    signal,
    about: { propertyId: claimed.propertyId },
  });
  const agentId = scene.feed.actor.details.userId;
  if ((await stagedPictureNamedBy(pool, { ...prepared.statements, agentId })) !== null) {
    await refusePicture(pool, claimed, 'STAGED_PICTURE');
    return ports.count('refused');
  }
  if (await store(scene, { prepared, checksum, fileBytes: file.length })) ports.count('taken');
}

/** The record says something else by now: the picture is none of it. Rolls the storing back. */
class Outdated extends Error {
  override readonly name = 'Outdated';
}

async function store(
  { ports, feed, source, claimed }: Scene,
  { prepared, checksum, fileBytes }: { prepared: PreparedPhoto; checksum: string; fileBytes: number },
): Promise<boolean> {
  const { statements } = prepared;
  try {
    const stored = await storeDecoded(ports, {
      ...prepared,
      // Most licenses forbid that others' photos are staged.
      providerInput: source.profile.stageable ? prepared.providerInput : null,
      imageId: claimed.claim,
      propertyId: claimed.propertyId,
      agentId: feed.actor.details.userId,
      imageOf: null,
      altered: claimed.alteration
        ? { kind: claimed.alteration, by: 'FEED' }
        : statements.alteration && { kind: statements.alteration, by: 'FILE' },
      fileBytes,
      limits: NO_GROWTH_LIMITS,
      keep: async (client) => {
        if (!(await takePicture(client, claimed, checksum))) throw new Outdated();
      },
    });
    return stored !== null;
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
}

/** Errors of a file that no further try mends. */
const FINAL: ReadonlySet<string> = new Set<PublicError['code'] | DownloadFailed['failure']>([
  'PHOTO_TOO_LARGE',
  'TOO_LARGE',
  'PRIVATE_ADDRESS',
]);
/** A file that is no picture may be an answer about a fault, and is tried again. */
const OF_FILE: ReadonlySet<string> = new Set<PublicError['code']>([
  'PHOTO_TOO_LARGE',
  'PHOTO_TYPE_UNSUPPORTED',
  'PHOTO_BROKEN',
]);

async function failed(
  { ports, feed, source, claimed, signal }: Scene,
  error: unknown,
): Promise<'MORE' | 'REST'> {
  const { pool } = ports;
  if (signal.aborted) {
    await postponePicture(pool, claimed, { inMs: 0, counts: false });
    return 'REST';
  }
  if (error instanceof DownloadFailed && error.failure === 'PAUSE') {
    await postponePicture(pool, claimed, { inMs: 0, counts: false });
    await pausePictures(pool, feed.actor.id, error.retryAfterMs ?? source.profile.rates.pauseMs);
    return 'REST';
  }
  if (error instanceof FeedError) {
    await postponePicture(pool, claimed, { inMs: 0, counts: false });
    await pausePictures(pool, feed.actor.id, source.profile.rates.pauseMs);
    ports.reporter.problem('the pictures of a feed wait', error, { id: feed.actor.id, code: error.code });
    return 'REST';
  }
  const reason = reasonOf(error);
  if (reason === null) {
    await postponePicture(pool, claimed, { inMs: OUTAGE_MS, counts: false });
    throw error;
  }
  const isOver = FINAL.has(reason) || claimed.attempts >= MOST_ATTEMPTS;
  if (isOver) await refusePicture(pool, claimed, reason);
  else {
    const inMs = RETRY_MS * SPREAD ** (claimed.attempts - 1);
    await postponePicture(pool, claimed, { inMs, counts: true });
  }
  ports.count(isOver ? 'refused' : 'failed');
  // A fault of ours is reported, too.
  if (reason === 'FAILED') throw error;
  return 'MORE';
}

/** What is wrong with the picture; null for an outage of ours. */
function reasonOf(error: unknown): string | null {
  if (error instanceof DownloadFailed) return error.failure;
  const code = publicErrorFrom(error)?.code;
  if (code !== undefined && OF_FILE.has(code)) return code;
  return code === undefined ? 'FAILED' : null;
}
