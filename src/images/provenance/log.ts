import { createHash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import type { Pool } from 'pg';
import {
  addLogEntry,
  type LogEntry,
  type LogFacts,
  type LoggedRecord,
} from '../../../persistence/images/provenance-log.ts';
import type { Clock } from '../../../supervisors/ports.ts';
import { leafHash, merkleRoot } from './merkle.ts';

/** What signs the heads: the key and the certificates of the marks, and when those are valid, in ms since 1970. */
export interface HeadSigning {
  key: KeyObject;
  hash: string;
  chain: readonly Buffer[];
  validFrom: number;
  validUntil: number;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * A record as text, of which its leaf is the hash. What the page of the picture shows is readable. Ids of people, the job,
 * the listing and the photo are one hash, which shows nothing of them, because they are random.
 */
export function recordText(record: LoggedRecord): string {
  const { propertyId, originalImageId, aiJobId, requestedByUserId, approvedByUserId } = record;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return JSON.stringify({
    stagedImageId: record.stagedImageId,
    originalChecksum: record.originalChecksum,
    outputChecksum: record.outputChecksum,
    disclosureLabel: record.disclosureLabel,
    providerModel: record.providerModel,
    promptVersion: record.promptVersion,
    style: record.canonicalStyle ?? record.legacyStyle,
    roomType: record.roomType,
    framing: record.framing,
    attemptNumber: record.attemptNumber,
    approverRole: record.approverRole,
    approverOffice: record.approverOffice,
    requestedAt: iso(record.requestedAt),
    stagedAt: iso(record.stagedAt),
    approvedAt: iso(record.approvedAt),
    recordedAt: iso(record.recordedAt),
    idsSha256: sha256(
      JSON.stringify([propertyId, originalImageId, aiJobId, requestedByUserId, approvedByUserId]),
    ),
  });
}

/** The text that is signed. Its SHA-256 is the head, which the next entry names. */
const entryText = ({ number, day, records, root, previous }: LogFacts): string =>
  `proscenium provenance log\n${number}\n${day}\n${records}\n${root}\n${previous ?? 'none'}\n`;

const headOf = (facts: LogFacts): string => sha256(entryText(facts));

/**
 * Adds what is due to the log of records, to be mailed to the witnesses. It is signed where the installation signs its pictures, while the certificates
 * are valid.
 */
export async function logRecords(
  {
    pool,
    signing,
    witnesses,
    clock,
  }: { pool: Pool; signing: HeadSigning | null; witnesses: readonly string[]; clock: Clock },
  draining: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const valid = signing !== null && signing.validFrom <= now && now < signing.validUntil ? signing : null;
  const next = () =>
    addLogEntry(pool, witnesses, (records, last, day) => {
      const hashes = records.map((record) => leafHash(recordText(record)));
      const facts: LogFacts = {
        number: (last?.number ?? 0) + 1,
        day,
        records: records.length,
        root: merkleRoot(hashes).toString('hex'),
        previous: last?.head ?? null,
      };
      return { entry: { ...facts, head: headOf(facts), ...signatureOf(facts, valid) }, hashes };
    });
  while (!draining.aborted && (await next()));
}

function signatureOf(
  facts: LogFacts,
  signing: HeadSigning | null,
): Pick<LogEntry, 'signature' | 'certificate'> {
  const [leaf] = signing?.chain ?? [];
  if (signing === null || leaf === undefined) return { signature: null, certificate: null };
  return {
    signature: sign(signing.hash, Buffer.from(entryText(facts)), signing.key).toString('base64'),
    certificate: new X509Certificate(leaf).toString(),
  };
}
