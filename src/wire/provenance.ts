import { z } from 'zod';
import type { Translator } from '../../i18n/translator.ts';
import { CANONICAL_ROOM_TYPES, PROVENANCE_EVENT_KINDS } from '../../machines/vocabulary.ts';
import type { Provenance } from '../../persistence/images/provenance.ts';
import type { LogEntry } from '../../persistence/images/provenance-log.ts';
import type { WebConfig } from '../config/config.ts';
import { drift, toDrift } from './drift.ts';
import { imageUrl, provenanceUrl } from './images.ts';
import { stagedStyleFields, toStagedStyle } from './staged-style.ts';
import { instant, iso, uuid, viewOf } from './text.ts';

export const provenanceInput = z.strictObject({ stagedImageId: uuid });

/** Whether a picture that was approved is shown, and if not, why. */
export const PROVENANCE_STATUSES = ['PUBLIC', 'WITHDRAWN', 'LISTING_HIDDEN', 'DELETED'] as const;

const historyEvent = z.object({ kind: z.enum(['APPROVED', ...PROVENANCE_EVENT_KINDS]), at: instant });

const signer = z.object({
  /** SHA-256 of the certificate, hex. */
  fingerprint: z.string(),
  /** A compromised one does not count: anyone who has its key can sign anything, with any date. */
  status: z.enum(['CURRENT', 'SUPERSEDED', 'COMPROMISED']),
  /** Null for one that is not the current one. */
  validFrom: instant.nullable(),
  validUntil: instant,
});

/**
 * Where a staged picture comes from, for everyone and forever (docs/contract.md#provenance). It names no person, no
 * job and no prompt.
 */
export const provenanceOutput = z.object({
  stagedImageId: z.string(),
  provenanceUrl: z.string(),
  status: z.enum(PROVENANCE_STATUSES),
  /** Since when it has that status; of a public picture, when it was approved or last shown again. */
  since: instant,
  /** Null while the listing has no public page. */
  propertyId: z.string().nullable(),
  /** The photo, also after a withdrawal; both null when the photo is gone or the listing has no public page. */
  originalImageId: z.string().nullable(),
  originalUrl: z.string().nullable(),
  /** The three are null unless the picture is shown. */
  stagedUrl: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  disclosureLabel: z.string(),
  /** The label in the caller's language. */
  disclosureText: z.string(),
  /** SHA-256 in hex, of the photo as it is stored. */
  originalChecksum: z.string(),
  /** SHA-256 in hex, of the staged picture as it was received. */
  outputChecksum: z.string(),
  providerModel: z.string().nullable(),
  promptVersion: z.string().nullable(),
  style: stagedStyleFields.style,
  roomType: z.enum(CANONICAL_ROOM_TYPES).nullable(),
  /** The room in the caller's language. */
  room: z.string().nullable(),
  framing: z.enum(['fixed', 'photo']).nullable(),
  /** The number of the purchase that made it; null for pictures of old releases. */
  attemptNumber: z.int().nullable(),
  requestedAt: instant.nullable(),
  stagedAt: instant,
  approvedAt: instant,
  /** Who approved it, as they were at that time. */
  approver: z.object({ role: z.string().nullable(), office: z.string().nullable() }),
  /** Null until it was compared with its photo. */
  drift: drift.nullable(),
  /** The signed manifests (C2PA) of its copies, the latest first (docs/contract.md#marks). */
  manifests: z.array(z.object({ variant: z.string(), manifestId: z.string(), signedAt: instant })),
  /** Visitors who reported that it did not match the home, and how many of their reports were upheld. */
  reports: z.object({ visits: z.int(), upheld: z.int() }),
  /** The certificates that sign for this site: the current one first, then others that it names. */
  signers: z.array(signer),
  events: z.array(historyEvent),
  /** The number of the entry of the log that holds its record; null until the entry is made, the next day. */
  logEntry: z.int().nullable(),
});
export type ProvenanceOutput = z.output<typeof provenanceOutput>;

export function toProvenance(
  record: Provenance,
  given: { publicBaseUrl: string; signers: ProvenanceOutput['signers']; words: Translator },
): ProvenanceOutput {
  const { stagedImageId, originalImageId, roomType, isShown, isOriginalShown, hasPage } = record;
  const { publicBaseUrl, words } = given;
  const seen = record.drift && { ...record.drift, hasHeatMap: isShown && record.drift.hasHeatMap };
  return viewOf(provenanceOutput, {
    ...record,
    ...statusOf(record),
    provenanceUrl: provenanceUrl(publicBaseUrl, stagedImageId),
    propertyId: hasPage ? record.propertyId : null,
    originalImageId: isOriginalShown ? originalImageId : null,
    originalUrl: isOriginalShown ? imageUrl(publicBaseUrl, originalImageId) : null,
    stagedUrl: isShown ? imageUrl(publicBaseUrl, stagedImageId) : null,
    width: isShown ? record.width : null,
    height: isShown ? record.height : null,
    disclosureText: words.t('disclosure.text'),
    style: toStagedStyle({ ...record, submittedStyle: null }, words).style,
    room: roomType === null ? null : words.t(`room.${roomType}`),
    approver: { role: record.approverRole, office: record.approverOffice },
    drift: toDrift({ imageId: stagedImageId, drift: seen }, given),
    manifests: record.manifests.map((one) => ({ ...one, signedAt: iso(one.signedAt) })),
    signers: given.signers,
    requestedAt: iso(record.requestedAt),
    stagedAt: iso(record.stagedAt),
    approvedAt: iso(record.approvedAt),
    events: [
      { kind: 'APPROVED', at: iso(record.approvedAt) },
      ...record.events.map(({ kind, at }) => ({ kind, at: iso(at) })),
    ],
  });
}

/** The certificates of the settings, as the record names them. */
export const signersOf = ({
  signing,
  retiredCertificates,
}: Pick<WebConfig, 'signing' | 'retiredCertificates'>): ProvenanceOutput['signers'] => [
  ...(signing === null
    ? []
    : [
        {
          fingerprint: signing.fingerprint,
          status: 'CURRENT' as const,
          validFrom: iso(signing.validFrom),
          validUntil: iso(signing.validUntil),
        },
      ]),
  ...retiredCertificates.map(({ fingerprint, reason, until }) => ({
    fingerprint,
    status: reason === 'compromised' ? ('COMPROMISED' as const) : ('SUPERSEDED' as const),
    validFrom: null,
    validUntil: iso(until),
  })),
];

/** A picture that is gone for more than one reason names the one that lasts longest. */
function statusOf({
  exists,
  withdrawnAt,
  hasPage,
  listingSince,
  approvedAt,
  events,
}: Provenance): Pick<ProvenanceOutput, 'status' | 'since'> {
  const last = (wanted: string): number => events.findLast(({ kind }) => kind === wanted)?.at ?? approvedAt;
  if (!exists) return { status: 'DELETED', since: iso(last('DELETED')) };
  if (withdrawnAt !== null) return { status: 'WITHDRAWN', since: iso(withdrawnAt) };
  if (hasPage) return { status: 'PUBLIC', since: iso(last('LIFTED')) };
  return { status: 'LISTING_HIDDEN', since: iso(Math.max(approvedAt, listingSince ?? approvedAt)) };
}

/** Entries of one answer. */
export const LOG_PAGE = 30;

const logEntry = z.object({
  number: z.int(),
  /** In UTC, as `2026-11-28`. */
  day: z.string(),
  /** How many records it holds. */
  records: z.int(),
  /** Root of the Merkle tree (RFC 9162) over its records, SHA-256 in hex. */
  root: z.string(),
  /** The head of the entry before; null for the first one. */
  previous: z.string().nullable(),
  /** SHA-256 in hex of what is signed. */
  head: z.string(),
  /** ECDSA in DER, base64; null when nothing signs here. */
  signature: z.string().nullable(),
  /** The certificate of the signature, in PEM. */
  certificate: z.string().nullable(),
});

export const provenanceLogInput = z.strictObject({
  /** Only entries with smaller numbers. */
  before: z.int().min(1).max(2_147_483_647).optional(),
});
/** The log of records, the latest entry first (docs/contract.md#the-log-of-records). */
export const provenanceLogOutput = z.object({
  entries: z.array(logEntry),
  /** `before` of the next page; null on the last one. */
  before: z.int().nullable(),
});

export const toProvenanceLog = (entries: LogEntry[]): z.output<typeof provenanceLogOutput> => {
  const page = entries.slice(0, LOG_PAGE);
  return viewOf(provenanceLogOutput, {
    entries: page,
    before: entries.length > LOG_PAGE ? (page.at(-1)?.number ?? null) : null,
  });
};

/** A picture's record, and the proof that it is in the log. */
export const provenanceProofOutput = z.object({
  /** The text whose hash is the leaf. */
  record: z.string(),
  /** Null until the entry is made. */
  proof: z
    .object({
      entry: logEntry,
      /** The place of the leaf, from 0. */
      position: z.int(),
      /** The hashes that lead from the leaf to the root (RFC 9162), the lowest first, in hex. */
      path: z.array(z.string()),
    })
    .nullable(),
});
