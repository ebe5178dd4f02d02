import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { isShownVariant } from '../../../persistence/database/listing-visibility.ts';
import { seedApproval, seedOriginal, seedProperty, seedVariant } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

/**
 * Nothing that plain SQL can say makes a staged picture public without its original, its label, its record and a person
 * (docs/contract.md#provenance). Each test tries one way, and looks at what the public would see.
 */
const database = useStoreDatabase();
const PERSON = randomUUID();
let propertyId: string;
let original: { imageId: string; propertyId: string };
let staged: string;
beforeEach(async () => {
  await database.clear();
  propertyId = await seedProperty(database.pool);
  original = await seedOriginal(database.pool, { propertyId });
  staged = await seedVariant(database.pool, original);
});

const run = (sql: string, values: unknown[] = []) => database.pool.query(sql, values);
const shown = async () =>
  (await run(`select id from property_images i where i."isStyled" and ${isShownVariant('i')}`)).rows.map(
    ({ id }) => id,
  );
const GATE = { constraint: 'property_images_public_check' };
const FILE_STAYS = { constraint: 'property_images_file_stays' };
const LIST_CLOSED = { constraint: 'provenance_due_closed' };
const HISTORY = { message: expect.stringContaining('are never changed') };

/** All in one transaction, as one person at `psql` would try it. */
async function inOneTransaction(steps: (client: PoolClient) => Promise<unknown>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await steps(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

interface Parts {
  /** SQL of the value, or null to leave the row out. */
  event?: { actor?: string; objectKey?: string; kind?: string } | null;
  record?: Record<string, string> | null;
  row?: string;
}
/** Approves `staged` with all of its parts but what `parts` changes. */
async function approve(client: Pick<PoolClient, 'query'>, { event = {}, record = {}, row }: Parts = {}) {
  await client.query(
    `update property_images set "reviewStatus" = 'APPROVED', "reviewedByUserId" = $2, "reviewedAt" = now() ${row ?? ''}
     where id = $1`,
    [staged, PERSON],
  );
  if (event !== null)
    await client.query(
      `insert into property_image_review_events (kind, "imageId", "actorUserId", "objectKey", at)
       select '${event.kind ?? 'APPROVED'}', id, ${event.actor ?? `'${PERSON}'`}, ${event.objectKey ?? '"objectKey"'}, now()
       from property_images where id = $1`,
      [staged],
    );
  if (record === null) return;
  const values: Record<string, string> = {
    stagedImageId: 'v.id',
    propertyId: 'v."propertyId"',
    originalImageId: 'o.id',
    originalChecksum: 'o."outputChecksum"',
    outputChecksum: 'v."outputChecksum"',
    approvedByUserId: `'${PERSON}'`,
    disclosureLabel: `'AI · Virtually staged'`,
    stagedAt: 'now()',
    recordedAt: 'now()',
    ...record,
  };
  const names = Object.keys(values).map((name) => `"${name}"`);
  await client.query(
    `insert into provenance_records (${names}) select ${Object.values(values)}
     from property_images v join property_images o on o.id = v."styledFromId" where v.id = $1`,
    [staged],
  );
}
const tryTo = (parts: Parts) => inOneTransaction((client) => approve(client, parts));

test('with all of it, a picture is public', async () => {
  await tryTo({});
  expect(await shown()).toEqual([staged]);
});

describe('without one of the parts nothing is public', () => {
  const OTHER_SUM = `'${'0'.repeat(64)}'`;
  const ways: Record<string, [Parts, Record<string, unknown>]> = {
    'no record': [{ record: null }, GATE],
    'no event': [{ event: null }, GATE],
    'an event of another kind': [{ event: { kind: 'REJECTED' } }, GATE],
    'an event that names nobody': [{ event: { actor: 'null' }, record: { approvedByUserId: 'null' } }, GATE],
    'an event of another person than the record': [{ event: { actor: 'gen_random_uuid()' } }, GATE],
    'an event about another file': [{ event: { objectKey: `'elsewhere'` } }, GATE],
    'another checksum of the output': [{ record: { outputChecksum: OTHER_SUM } }, GATE],
    'another checksum of the original': [{ record: { originalChecksum: OTHER_SUM } }, GATE],
    'a checksum that is none': [
      { record: { outputChecksum: `''` } },
      { constraint: 'provenance_records_checksums_check' },
    ],
    'a record of another original': [{ record: { originalImageId: 'gen_random_uuid()' } }, GATE],
    'a record without the label': [{ record: { disclosureLabel: 'null' } }, { code: '23502' }],
    'a record with another label': [
      { record: { disclosureLabel: `'Lovely home'` } },
      { constraint: 'provenance_records_label_check' },
    ],
  };
  test.each(Object.entries(ways))('%s', async (_, [parts, refusal]) => {
    await expect(tryTo(parts)).rejects.toMatchObject(refusal);
    expect(await shown()).toEqual([]);
    // Withdrawing it first, to show it later, is no way around.
    const withdrawn = `, "withdrawnAt" = now(), "withdrawnBy" = 'AGENT'`;
    await expect(tryTo({ ...parts, row: withdrawn })).rejects.toMatchObject(refusal);
    expect(await shown()).toEqual([]);
  });

  test('a row that names another reviewer than its record', async () => {
    await expect(
      inOneTransaction(async (client) => {
        await approve(client);
        await client.query('update property_images set "reviewedByUserId" = null where id = $1', [staged]);
      }),
    ).rejects.toMatchObject(GATE);
    expect(await shown()).toEqual([]);
  });

  test('inserted as approved, in one statement, all at once or at last', async () => {
    for (const moment of ['', 'set constraints all immediate', 'set constraints all deferred']) {
      await expect(
        inOneTransaction(async (client) => {
          if (moment) await client.query(moment);
          await client.query(
            `insert into property_images (id, "propertyId", "styledFromId", "isStyled", "objectKey", style, "reviewStatus")
             values ($1, $2, $3, true, 'made/up.jpg', 'other', 'APPROVED')`,
            [randomUUID(), propertyId, original.imageId],
          );
        }),
      ).rejects.toMatchObject(GATE);
      await expect(
        inOneTransaction(async (client) => {
          if (moment) await client.query(moment);
          await approve(client, { record: null });
        }),
      ).rejects.toMatchObject(GATE);
    }
    expect(await shown()).toEqual([]);
  });

  test('staged from a picture that is staged itself, or of another listing', async () => {
    await tryTo({});
    const elsewhere = await seedOriginal(database.pool);
    for (const from of [staged, elsewhere.imageId]) {
      const cheat = await seedVariant(
        database.pool,
        { imageId: from, propertyId },
        { canonicalStyle: 'LUXURY' },
      );
      await expect(seedApproval(database.pool, cheat)).rejects.toMatchObject(GATE);
    }
    expect(await shown()).toEqual([staged]);
  });
});

describe('what a public picture rests on stays', () => {
  beforeEach(() => tryTo({}));

  const PICTURES = ['staged', 'original'] as const;
  const rowOf = (which: (typeof PICTURES)[number]) => (which === 'staged' ? staged : original.imageId);
  const changes = [
    '"objectKey" = \'elsewhere\'',
    '"outputChecksum" = null',
    `"outputChecksum" = '${'1'.repeat(64)}'`,
    'id = gen_random_uuid()',
  ];
  test.each(PICTURES.flatMap((which) => changes.map((change) => [which, change] as const)))(
    '%s: %s',
    async (which, change) => {
      await expect(
        run(`update property_images set ${change} where id = $1`, [rowOf(which)]),
      ).rejects.toMatchObject(FILE_STAYS);
      expect(await shown()).toEqual([staged]);
    },
  );

  test('it stays with its original, both stay with their listing, and neither changes sides', async () => {
    const other = await seedOriginal(database.pool, { propertyId });
    const elsewhere = await seedProperty(database.pool);
    for (const [id, change] of [
      [staged, `"styledFromId" = '${other.imageId}'`],
      [staged, `"propertyId" = '${elsewhere}'`],
      [staged, `"isStyled" = false, "styledFromId" = null, "reviewStatus" = null`],
      [original.imageId, `"propertyId" = '${elsewhere}'`],
      [
        original.imageId,
        `"isStyled" = true, "styledFromId" = '${other.imageId}', "reviewStatus" = 'APPROVED'`,
      ],
    ])
      await expect(run(`update property_images set ${change} where id = $1`, [id])).rejects.toMatchObject(
        FILE_STAYS,
      );
  });

  test('its record, its approval and its history cannot be changed, deleted or emptied', async () => {
    await run(`update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'AGENT' where id = $1`, [
      staged,
    ]);
    for (const [table, column] of [
      ['provenance_records', '"approvedByUserId" = null'],
      ['provenance_events', 'at = now()'],
      ['property_image_review_events', '"actorUserId" = null'],
    ]) {
      for (const sql of [
        `update ${table} set ${column}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ])
        await expect(run(sql)).rejects.toMatchObject(HISTORY);
    }
  });

  test('the deletion of the original or the listing takes it with it, at once', async () => {
    const second = await seedOriginal(database.pool, { propertyId });
    await seedVariant(database.pool, second, { reviewStatus: 'APPROVED' });
    await run('delete from property_images where id = $1', [original.imageId]);
    expect(await shown()).toHaveLength(1);
    await run('delete from properties where id = $1', [propertyId]);
    expect(await shown()).toEqual([]);
    const { rows } = await run(`select count(*)::int as records,
      (select count(*)::int from provenance_events where kind = 'DELETED') as deleted from provenance_records`);
    expect(rows).toEqual([{ records: 2, deleted: 2 }]);
  });

  test('a deleted picture does not come back under its old approval', async () => {
    const { rows } = await run('select * from property_images where id = $1', [staged]);
    await run('delete from property_images where id = $1', [staged]);
    const { objectKey, outputChecksum, reviewedByUserId } = rows[0];
    await expect(
      run(
        `insert into property_images (id, "propertyId", "styledFromId", "isStyled", "objectKey", "outputChecksum", style,
           "reviewedByUserId", "reviewStatus") values ($1, $2, $3, true, $4, $5, 'MODERN', $6, 'APPROVED')`,
        [staged, propertyId, original.imageId, objectKey, outputChecksum, reviewedByUserId],
      ),
    ).rejects.toMatchObject(GATE);
    expect(await shown()).toEqual([]);
  });
});

describe('the list of pictures without a record', () => {
  /** As a release before records left it. */
  async function approvedBefore(): Promise<void> {
    await inOneTransaction(async (client) => {
      await client.query('set local session_replication_role = replica');
      await approve(client, { event: { actor: 'null' }, record: null });
      await client.query('insert into provenance_due ("stagedImageId", "nextTryAt") values ($1, now())', [
        staged,
      ]);
    });
  }
  const lift = () =>
    run(`update property_images set "withdrawnAt" = null, "withdrawnBy" = null where id = $1`, [staged]);
  const withdraw = () =>
    run(`update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'OPERATOR' where id = $1`, [
      staged,
    ]);

  test('nothing is added to it, by any way', async () => {
    const add = () =>
      run('insert into provenance_due ("stagedImageId", "nextTryAt") values ($1, now())', [staged]);
    await expect(add()).rejects.toMatchObject(LIST_CLOSED);
    await approvedBefore();
    const other = await seedVariant(database.pool, original, { canonicalStyle: 'LUXURY' });
    await expect(run('update provenance_due set "stagedImageId" = $1', [other])).rejects.toMatchObject(
      LIST_CLOSED,
    );
    await run('update provenance_due set tries = 3');
  });

  test('a listed picture stays public, may be withdrawn and shown again, and is not let off its file', async () => {
    await approvedBefore();
    expect(await shown()).toEqual([staged]);
    await withdraw();
    await lift();
    expect(await shown()).toEqual([staged]);
    await expect(
      run(`update property_images set "objectKey" = 'elsewhere' where id = $1`, [staged]),
    ).rejects.toMatchObject(FILE_STAYS);
  });

  test('a listed picture cannot be approved anew without a record', async () => {
    await approvedBefore();
    const anew = (status: string) =>
      run(`update property_images set "reviewStatus" = $2 where id = $1`, [staged, status]);
    await anew('PENDING_REVIEW');
    await expect(anew('APPROVED')).rejects.toMatchObject(GATE);
  });

  test('it leaves the list with its own record only, and the list is never emptied', async () => {
    await approvedBefore();
    const leave = () => run('delete from provenance_due where "stagedImageId" = $1', [staged]);
    await expect(leave()).rejects.toMatchObject(LIST_CLOSED);
    await expect(run('truncate provenance_due')).rejects.toMatchObject(LIST_CLOSED);
    await run(
      `insert into provenance_records ("stagedImageId", "propertyId", "originalImageId", "originalChecksum",
         "outputChecksum", "disclosureLabel", "stagedAt", "recordedAt")
       values ($1, $2, $3, $4, $4, 'AI · Virtually staged', now(), now())`,
      [staged, propertyId, original.imageId, '2'.repeat(64)],
    );
    await expect(leave()).rejects.toMatchObject(LIST_CLOSED);
    await run('delete from property_images where id = $1', [staged]);
    expect((await run('select from provenance_due')).rowCount).toBe(0);
  });
});

describe('withdrawals by plain SQL', () => {
  const history = async () =>
    (await run('select kind, by from provenance_events where "stagedImageId" = $1 order by id', [staged]))
      .rows;
  const set = (columns: string) => run(`update property_images set ${columns} where id = $1`, [staged]);

  test('every change is noted, whoever writes it', async () => {
    await tryTo({});
    await set(`"withdrawnAt" = now(), "withdrawnBy" = 'AGENT'`);
    expect(await shown()).toEqual([]);
    await set(`"withdrawnBy" = 'REPORTS'`);
    await set(`"withdrawnAt" = null, "withdrawnBy" = null`);
    expect(await shown()).toEqual([staged]);
    await run('delete from property_images where id = $1', [staged]);
    expect(await history()).toEqual([
      { kind: 'WITHDRAWN', by: 'AGENT' },
      { kind: 'WITHDRAWN', by: 'REPORTS' },
      { kind: 'LIFTED', by: null },
      { kind: 'DELETED', by: null },
    ]);
  });

  test('approved and withdrawn at once is noted, too', async () => {
    await tryTo({ row: `, "withdrawnAt" = now(), "withdrawnBy" = 'OPERATOR'` });
    expect(await history()).toEqual([{ kind: 'WITHDRAWN', by: 'OPERATOR' }]);
  });

  test('only an approved picture is withdrawn, by someone who is known', async () => {
    const check = { constraint: 'property_images_withdrawal_check' };
    await expect(set(`"withdrawnAt" = now(), "withdrawnBy" = 'AGENT'`)).rejects.toMatchObject(check);
    await tryTo({});
    await expect(set('"withdrawnAt" = now()')).rejects.toMatchObject(check);
    await expect(set(`"withdrawnAt" = now(), "withdrawnBy" = 'NOBODY'`)).rejects.toMatchObject(check);
  });

  test('it is not shown beside the picture that took its place', async () => {
    await tryTo({});
    await set(`"withdrawnAt" = now(), "withdrawnBy" = 'AGENT'`);
    await seedVariant(database.pool, original);
    await expect(set(`"withdrawnAt" = null, "withdrawnBy" = null`)).rejects.toMatchObject({
      constraint: 'property_images_live_staged_variant_uidx',
    });
  });
});

describe('two transactions at once', () => {
  test('an approval and the deletion of the original: nothing public is left, in either order', async () => {
    const [one, other] = [await database.pool.connect(), await database.pool.connect()];
    try {
      await one.query('begin');
      await approve(one);
      const deleted = other.query('delete from property_images where id = $1', [original.imageId]);
      await one.query('commit');
      await deleted;
      expect(await shown()).toEqual([]);

      original = await seedOriginal(database.pool, { propertyId });
      staged = await seedVariant(database.pool, original);
      await one.query('begin');
      await one.query('delete from property_images where id = $1', [original.imageId]);
      const approved = approve(other, { event: null, record: null });
      await one.query('commit');
      await approved;
      expect(await shown()).toEqual([]);
    } finally {
      one.release();
      other.release();
    }
  });

  test('two approvals: one event, one record', async () => {
    const outcomes = await Promise.allSettled([tryTo({}), tryTo({})]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await shown()).toEqual([staged]);
  });
});
