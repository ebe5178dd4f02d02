import { createHash, verify, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { testSigning } from '../../../ops/dev/signing-certificates.ts';
import { MOST_RECORDS } from '../../../persistence/images/provenance-log.ts';
import { readSigning } from '../../../src/config/signing.ts';
import { logRecords } from '../../../src/images/provenance/log.ts';
import { inclusionPath, leafHash, merkleRoot } from '../../../src/images/provenance/merkle.ts';
import { createWitnessMailSender } from '../../../src/mail/witness-mail-sender.ts';
import { seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { openMailPorts } from '../../support/worlds/mail-ports.ts';

/** docs/contract.md#the-log-of-records. */
const host = useApiHost();
const NEVER = new AbortController().signal;
const { C2PA_SIGNING_KEY: key, C2PA_CERTIFICATE_CHAIN: certificateChain } = testSigning().settings;
const SIGNING = readSigning({ key, certificateChain, timeStampUrl: null });
const WITNESSES = ['records@example.com', 'archive@example.org'];
const log = (signing = SIGNING, clock = { now: () => Date.now() }) =>
  logRecords({ pool: host.pool, signing, witnesses: WITNESSES, clock }, NEVER);
const read = async (input = {}) => (await host.anonymous().query('provenance.log', input)).data;
const prove = async (stagedImageId: string) =>
  (await host.anonymous().query('provenance.prove', { stagedImageId })).data;

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The check of RFC 9162, section 2.1.3.2, written independently of the product. */
function leadsToRoot({ record, proof }: Awaited<ReturnType<typeof prove>>): boolean {
  let [at, last] = [proof.position, proof.entry.records - 1];
  let hash = sha256(Buffer.from([0]), record);
  for (const step of proof.path.map((hex: string) => Buffer.from(hex, 'hex'))) {
    if (at % 2 === 1 || at === last) {
      hash = sha256(Buffer.from([1]), step, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at >> 1, last >> 1];
    } else hash = sha256(Buffer.from([1]), hash, step);
    [at, last] = [at >> 1, last >> 1];
  }
  return last === 0 && hash.toString('hex') === proof.entry.root;
}

/** The database says which day it is, so the log becomes a day older. */
const aDayLater = () => pastTriggers('update provenance_log set day = day - 1');
async function pastTriggers(sql: string): Promise<void> {
  const client = await host.pool.connect();
  try {
    await client.query(`set session_replication_role = replica; ${sql}; reset session_replication_role`);
  } finally {
    client.release();
  }
}

async function approve(count: number): Promise<string[]> {
  const propertyId = await seedProperty(host.pool);
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const original = await seedOriginal(host.pool, { propertyId });
    ids.push(await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' }));
  }
  return ids;
}

describe('the tree', () => {
  test('has a path from every leaf of every size', () => {
    for (let size = 1; size <= 33; size += 1) {
      const records = Array.from({ length: size }, (_, index) => `record ${index}`);
      const leaves = records.map(leafHash);
      const entry = { records: size, root: merkleRoot(leaves).toString('hex') };
      for (const [position, record] of records.entries()) {
        const path = inclusionPath(leaves, position).map((hash) => hash.toString('hex'));
        expect([size, position, leadsToRoot({ record, proof: { entry, position, path } })]).toEqual([
          size,
          position,
          true,
        ]);
      }
    }
  });

  test('over nothing is the hash of nothing, and no leaf is past its end', () => {
    expect(merkleRoot([])).toEqual(sha256(''));
    expect(() => inclusionPath([leafHash('one')], 1)).toThrow(RangeError);
  });
});

describe('the log', () => {
  let ids: string[];
  beforeAll(async () => {
    // The host itself makes the entry of yesterday, of no record.
    await eventually(async () => (await read()).entries.length === 1, { what: 'the first entry' });
    ids = await approve(5);
  });

  test('adds one entry a day, which names the one before and is signed', async () => {
    await log();
    expect((await read()).entries).toHaveLength(1);
    await aDayLater();
    await Promise.all([log(), log()]);
    await log();
    const { entries, before } = await read();
    expect(before).toBeNull();
    expect(entries).toMatchObject([
      { number: 2, records: 5, previous: entries[1].head },
      { number: 1, records: 0, previous: null, signature: null, certificate: null },
    ]);
    const [{ number, day, records, root, previous, head, signature, certificate }] = entries;
    const text = `proscenium provenance log\n${number}\n${day}\n${records}\n${root}\n${previous}\n`;
    expect(sha256(text).toString('hex')).toBe(head);
    const { publicKey, fingerprint256 } = new X509Certificate(certificate);
    expect(verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(fingerprint256.replaceAll(':', '').toLowerCase()).toBe(SIGNING?.fingerprint);
  });

  test('proves each record, and says nothing of who, which listing and which photo', async () => {
    for (const id of ids) {
      const answer = await prove(id);
      expect(JSON.parse(answer.record)).toMatchObject({ stagedImageId: id, approverRole: 'agent' });
      expect(Object.keys(answer.proof)).toEqual(['entry', 'position', 'path']);
      expect(leadsToRoot(answer)).toBe(true);
      const { data } = await host.anonymous().query('provenance.get', { stagedImageId: id });
      expect(data.logEntry).toBe(2);
    }
    const { record } = await prove(ids[0] ?? '');
    const private_ = await host.rows<Record<string, string>>(
      'select "propertyId", "originalImageId", "approvedByUserId" from provenance_records where "stagedImageId" = $1',
      [ids[0]],
    );
    for (const id of Object.values(private_[0] ?? {})) expect(record).not.toContain(id);
  });

  test('is mailed to each witness once, with the head', async () => {
    const { sink, ports, close } = await openMailPorts(host, { clock: { at: Date.now() } });
    const sender = createWitnessMailSender(ports);
    await sender.start();
    const left = async () => (await host.rows('select 1 from witness_mails')).length;
    await eventually(async () => (await left()) === 0, { what: 'all mails to be settled' });
    await sender.stop(AbortSignal.timeout(5_000));
    await close();
    const [{ day, head, root }] = (await read()).entries;
    expect(sink.mails.map(({ to }) => to).toSorted()).toEqual(WITNESSES.toSorted());
    for (const { email } of sink.mails) {
      expect(email.subject).toMatch(/^Log of provenance records: entry 2, /);
      for (const part of [head, root, '5 records', '/provenance/log']) expect(email.text).toContain(part);
      expect(email.text).toContain(String(Number(day.slice(8))));
    }
  });

  test('a record that was rewritten does not lead to the root', async () => {
    const [rewritten = ''] = ids;
    await pastTriggers(
      `update provenance_records set "outputChecksum" = repeat('0', 64) where "stagedImageId" = '${rewritten}'`,
    );
    expect(leadsToRoot(await prove(rewritten))).toBe(false);
    expect(leadsToRoot(await prove(ids[1] ?? ''))).toBe(true);
  });

  test('a record of today, or one that came late, is in the next entry', async () => {
    const [late = ''] = await approve(1);
    expect((await prove(late)).proof).toBeNull();
    const { data } = await host.anonymous().query('provenance.get', { stagedImageId: late });
    expect(data.logEntry).toBeNull();
    await aDayLater();
    await log();
    const answer = await prove(late);
    expect(answer.proof.entry).toMatchObject({ number: 3, records: 1 });
    expect(leadsToRoot(answer)).toBe(true);
  });

  test('is not signed after the certificate has ended', async () => {
    await aDayLater();
    await log(SIGNING, { now: () => SIGNING?.validUntil ?? 0 });
    expect((await read()).entries[0]).toMatchObject({
      number: 4,
      records: 0,
      signature: null,
      certificate: null,
    });
  });

  test('nothing of it can be changed', async () => {
    for (const table of ['provenance_log', 'provenance_log_leaves'])
      for (const sql of [
        `update ${table} set entry = entry`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(
          host.pool.query(
            sql.replace('entry = entry', table === 'provenance_log' ? 'records = 1' : 'position = 1'),
          ),
        ).rejects.toThrow('never changed');
  });

  test('comes in pages', async () => {
    for (let day = 0; day < 30; day += 1) {
      await aDayLater();
      await log(null);
    }
    const latest = await read();
    expect(latest.entries.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 30 }, (_, index) => 34 - index),
    );
    expect(latest.before).toBe(5);
    const rest = await read({ before: 5 });
    expect(rest.entries.map(({ number }: { number: number }) => number)).toEqual([4, 3, 2, 1]);
    expect(rest.before).toBeNull();
  });
});

test('of more records than an entry holds, the rest comes in the next ones of the same day', async () => {
  await pastTriggers(
    `insert into provenance_records ("stagedImageId", "propertyId", "originalImageId", "originalChecksum",
       "outputChecksum", "disclosureLabel", "stagedAt", "approvedAt", "recordedAt")
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), repeat('a', 64), repeat('b', 64),
       'AI · Virtually staged', now() - interval '2 days', now() - interval '2 days', now() - interval '2 days'
     from generate_series(1, ${MOST_RECORDS + 1})`,
  );
  await aDayLater();
  await log(null);
  const [last, full] = (await read()).entries;
  expect([full.records, last.records]).toEqual([MOST_RECORDS, 1]);
  expect(last.day).toBe(full.day);
});
