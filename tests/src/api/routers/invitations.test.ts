import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../../../ops/cli/operate.ts';
import { withdrawInvitation } from '../../../../persistence/accounts/agent-invitations.ts';
import { removeBatch } from '../../../../persistence/actors/retention.ts';
import { eventually } from '../../../support/eventually.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../../support/http/identity-provider.ts';
import { createPerson, type Person } from '../../../support/http/person.ts';
import { type AccountWorld, openAccountWorld } from '../../../support/worlds/account-world.ts';

/** SIGN_UP=invited with AGENT_APPROVAL=manual: from the first agent to a colleague's colleague. */
let provider: TestIdentityProvider;
let world: AccountWorld;
let host: ApiHost;
beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await openAccountWorld({
    overrides: { mailIntervalMs: 20, identityKeys: { google: provider.keysUrl } },
    settings: { SIGN_UP: 'invited', AGENT_APPROVAL: 'manual', GOOGLE_CLIENT_ID: 'google-client' },
  });
  host = world.host;
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const ops = async (...args: string[]) => {
  const out: string[] = [];
  const code = await operate({
    args,
    environment: { DATABASE_URL: host.config.databaseUrl, PUBLIC_BASE_URL: host.config.publicBaseUrl },
    screen: { out: (text) => void out.push(text), err: (text) => void out.push(text) },
    signal: new AbortController().signal,
  });
  return { code, out: out.join('\n') };
};
const invite = (email: string, ...more: string[]) =>
  ops(
    'invite-agent',
    '--email',
    email,
    '--office',
    'Harbor Homes',
    '--by',
    'ada',
    '--reason',
    'known',
    ...more,
  );

const ask = (email: string) =>
  host.anonymous().send('POST', '/api/auth/email-otp/send-verification-otp', {
    body: JSON.stringify({ email, type: 'sign-in' }),
  });
const codesTo = (to: string) =>
  world.sink.mails.flatMap((one) =>
    one.to === to ? (/\b\d{6}\b/.exec(one.email.text ?? '')?.[0] ?? []) : [],
  );
/** The answer does not wait for the mail. */
async function signedIn(email: string): Promise<Person> {
  const before = codesTo(email).length;
  const device = (await ask(email)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await eventually(async () => codesTo(email).length > before, { what: `a code for ${email}` });
  const answer = await host.anonymous().send('POST', '/api/auth/sign-in/email-otp', {
    body: JSON.stringify({ email, otp: codesTo(email).at(-1) }),
    headers: { cookie: device },
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return createPerson(host.url, { id: answer.body.user.id, cookie });
}
/** A later mail has come, so an earlier one would have. */
async function getsNoCode(email: string): Promise<void> {
  const before = codesTo('ada@example.com').length;
  expect((await ask(email)).status).toBe(200);
  await ask('ada@example.com');
  await eventually(async () => codesTo('ada@example.com').length > before, { what: 'a later mail' });
  expect(codesTo(email)).toEqual([]);
}
const mailTo = async (to: string, text: RegExp) => {
  const find = () => world.sink.mails.findLast((one) => one.to === to && text.test(one.email.text ?? ''));
  await eventually(async () => find() !== undefined, { what: `a mail to ${to}` });
  return find()?.email;
};
const secretFor = async (email: string): Promise<string> =>
  /\/invitation#([\w-]{43})/.exec((await mailTo(email, /\/invitation#/))?.text ?? '')?.[1] ?? '';
const accept = (person: Person, invitation: string) =>
  person.mutate('users.becomeAgent', { licenseNumber: 'L-1', invitation });
const standing = async (id: string) =>
  (
    await host.rows<{ approvedBy: string | null }>('select * from agent_standings where "agentId" = $1', [id])
  )[0];
const rowOf = async (email: string) =>
  (await host.rows<Record<string, unknown>>('select * from agent_invitations where email = $1', [email]))[0];
const settled = () =>
  eventually(async () => (await host.rows('select 1 from agent_invitation_mails')).length === 0, {
    what: 'all mails to be sent',
  });
let first: Person;

describe('an empty installation', () => {
  const agent = [
    '--email',
    'Ada@Example.com',
    '--name',
    'Ada',
    '--license',
    'L-0',
    '--office',
    'Harbor Homes',
  ];

  test('gets its first agent once, approved, who signs in with a mailed code', async () => {
    expect(await ops('first-agent', '--email', 'no address')).toMatchObject({ code: 2 });
    const made = await Promise.all([ops('first-agent', ...agent), ops('first-agent', ...agent)]);
    expect(made.map(({ code }) => code).sort()).toEqual([0, 1]);
    const { out } = made.find(({ code }) => code === 0) ?? { out: '' };
    expect(out).toContain('https://api.example.com/sign-in and enter ada@example.com');
    first = await signedIn('ada@example.com');
    const { data } = await first.query('users.getMe');
    expect(data).toMatchObject({ role: 'agent', name: 'Ada', agent: { officeName: 'Harbor Homes' } });
    expect((await standing(first.id))?.approvedBy).toMatch(/^operator:/);
  });
});

describe('who is not invited', () => {
  test('gets the usual answer and no mail, and no account by an identity provider', async () => {
    const [known, unknown] = [await ask('ada@example.com'), await ask('eve@example.com')];
    const seen = ({ status, text, headers }: typeof known) => [status, text, [...headers.keys()].sort()];
    expect(seen(unknown)).toEqual(seen(known));
    const guess = await host.anonymous().send('POST', '/api/auth/sign-in/email-otp', {
      body: JSON.stringify({ email: 'eve@example.com', otp: '000000' }),
    });
    expect(guess.body.code).toBe('INVALID_OTP');

    const now = Math.floor(Date.now() / 1_000);
    const token = await provider.sign({
      iss: 'https://accounts.google.com',
      aud: 'google-client',
      sub: 'eve',
      iat: now,
      exp: now + 600,
      email: 'eve@example.com',
      email_verified: true,
    });
    const social = await host.anonymous().send('POST', '/api/auth/sign-in/social', {
      body: JSON.stringify({ provider: 'google', idToken: { token } }),
    });
    expect([social.status, social.body.code, social.body.messageKey]).toEqual([
      403,
      'INVITATION_REQUIRED',
      'errors.invitationRequired',
    ]);
    await mailTo('ada@example.com', /\d{6}/);
    expect(world.sink.mails.filter(({ to }) => to === 'eve@example.com')).toEqual([]);
    expect(await host.rows(`select 1 from "user" where email = 'eve@example.com'`)).toEqual([]);
  });

  test('becomes no agent, neither without a secret nor with one that no mail had', async () => {
    const customer = await host.signedIn({ role: 'customer' });
    for (const input of [
      { licenseNumber: 'x', officeName: 'x' },
      { licenseNumber: 'x', invitation: 'x'.repeat(43) },
    ])
      expect((await customer.mutate('users.becomeAgent', input)).errorCode).toBe('INVITATION_REQUIRED');
    expect((await customer.mutate('users.becomeAgent', { licenseNumber: 'x' })).errorCode).toBe(
      'INVALID_INPUT',
    );
    expect((await customer.query('users.getMe')).data.role).toBe('customer');
  });
});

describe('an invited person', () => {
  test('signs in, accepts once, and is an approved agent of the office', async () => {
    expect(await invite('not an address')).toMatchObject({ code: 2 });
    expect(await invite('bob@example.com', '--dry-run')).toMatchObject({ code: 0 });
    expect(await rowOf('bob@example.com')).toBeUndefined();
    expect(await invite('Bob@example.com', '--language', 'es')).toMatchObject({ code: 0 });
    const secret = await secretFor('bob@example.com');
    const mail = await mailTo('bob@example.com', /\/invitation#/);
    expect(mail?.subject).toBe('Tu invitación para unirte a Harbor Homes');
    expect(mail?.text).toContain(`https://api.example.com/es/invitation#${secret}`);
    expect(Object.values((await rowOf('bob@example.com')) ?? {})).not.toContain(secret);
    // The same link again, for a person who has lost the mail.
    await invite('bob@example.com');
    await settled();
    expect(await secretFor('bob@example.com')).toBe(secret);

    const [bob, other] = [await signedIn('bob@example.com'), await host.signedIn({ role: 'customer' })];
    const answers = await Promise.all([bob, other].map((person) => accept(person, secret)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const [agent] = answers.filter(({ status }) => status === 200);
    expect(agent?.data.agent).toMatchObject({ officeName: 'Harbor Homes', licenseNumber: 'L-1' });
    expect((await standing(agent?.data.id))?.approvedBy).toBe('operator:ada');
    // Accepted: the address alone opens nothing more, and an operator is shown so.
    expect(await invite('bob@example.com')).toMatchObject({ code: 1 });
    await expect(
      host.rows(`update agent_invitations set "expiresAt" = now() where email = 'bob@example.com'`),
    ).rejects.toThrow(/accepted/);
  });

  test('is too late after 14 days, with the secret and with the address', async () => {
    await invite('late@example.com');
    const secret = await secretFor('late@example.com');
    const { createdAt, expiresAt } = (await rowOf('late@example.com')) as Record<string, Date>;
    expect(Number(expiresAt) - Number(createdAt)).toBe(14 * 86_400_000);
    await host.rows(
      `update agent_invitations set "createdAt" = "createdAt" - interval '14 days', "expiresAt" = "expiresAt" - interval '14 days'
       where email = 'late@example.com'`,
    );
    const customer = await host.signedIn({ role: 'customer' });
    expect((await accept(customer, secret)).errorCode).toBe('INVITATION_REQUIRED');
    await getsNoCode('late@example.com');
    await removeBatch(host.pool, { what: 'invitations', before: Date.now() - 60_000, limit: 10 });
    expect(await rowOf('late@example.com')).toBeDefined();
    await removeBatch(host.pool, { what: 'invitations', before: Date.now() + 60_000, limit: 10 });
    expect(await rowOf('late@example.com')).toBeUndefined();
  });
});

describe('a colleague', () => {
  const inviteColleague = (agent: Person, email: string) => agent.mutate('users.inviteColleague', { email });

  test('is invited into the office of the agent, five a day, and approved where the agent is', async () => {
    const { status, data } = await inviteColleague(first, ' Cleo@Example.com ');
    expect([status, typeof data.expiresAt]).toEqual([200, 'string']);
    const secret = await secretFor('cleo@example.com');
    expect((await mailTo('cleo@example.com', /#/))?.text).toContain('Ada invites you to join Harbor Homes');
    const cleo = await signedIn('cleo@example.com');
    expect((await accept(cleo, secret)).data.agent.officeName).toBe('Harbor Homes');
    expect((await standing(cleo.id))?.approvedBy).toBe('invitation');

    const rest = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => inviteColleague(first, `${name}@office.example`)),
    );
    expect(rest.map(({ errorCode }) => errorCode).sort()).toEqual([
      'QUOTA_REACHED',
      'QUOTA_REACHED',
      ...Array(4).fill(undefined),
    ]);
  });

  test('waits for an approval where the inviting agent has none', async () => {
    const agent = await host.signedIn();
    await inviteColleague(agent, 'dora@example.com');
    const dora = await signedIn('dora@example.com');
    expect((await accept(dora, await secretFor('dora@example.com'))).status).toBe(200);
    expect(await standing(dora.id)).toMatchObject({ approvedBy: null, needsApproval: true });
  });

  test('of a suspended agent is not invited any more', async () => {
    const agent = await host.signedIn();
    await inviteColleague(agent, 'finn@example.com');
    const secret = await secretFor('finn@example.com');
    await host.rows('update "user" set "suspendedAt" = now() where id = $1', [agent.id]);
    expect((await inviteColleague(agent, 'gil@example.com')).errorCode).toBe('ACCOUNT_SUSPENDED');
    expect((await accept(await host.signedIn({ role: 'customer' }), secret)).errorCode).toBe(
      'INVITATION_REQUIRED',
    );
    await getsNoCode('finn@example.com');
  });

  test('who is an agent already gets no mail', async () => {
    const agent = await host.signedIn();
    const other = await host.signedIn();
    expect((await inviteColleague(agent, `${other.id}@example.com`)).status).toBe(200);
    await settled();
    expect(world.sink.mails.filter(({ to }) => to === `${other.id}@example.com`)).toEqual([]);
  });

  test('is in the export of both, without the other’s address, and goes with either account', async () => {
    const agent = await host.signedIn();
    await inviteColleague(agent, 'hana@example.com');
    const secret = await secretFor('hana@example.com');
    const other = await host.signedIn({ role: 'customer' });
    await accept(other, secret);
    const exported = async (person: Person) =>
      (await person.mutate('users.exportMyData', { code: await world.code(person, 'Export') })).data
        .invitations;
    expect(await exported(agent)).toMatchObject([{ side: 'from', email: 'hana@example.com' }]);
    expect(await exported(other)).toMatchObject([
      { side: 'to', email: null, officeName: expect.any(String) },
    ]);
    await other.mutate('users.confirmDeletion', { code: await world.code(other, 'Deletion') });
    expect(await rowOf('hana@example.com')).toBeUndefined();
  });
});

describe('an invitation that an operator withdraws', () => {
  const withdraw = (id: string, ...more: string[]) =>
    ops('withdraw-invitation', '--id', id, '--by', 'ada', '--reason', 'does not join', ...more);

  test('opens nothing from then on, and the next one has another link', async () => {
    await invite('ivy@example.com');
    const secret = await secretFor('ivy@example.com');
    const { id } = (await rowOf('ivy@example.com')) ?? {};
    const dry = await withdraw(' Ivy@Example.com', '--dry-run');
    expect([dry.code, /becomes WITHDRAWN/.test(dry.out), /ivy/i.test(dry.out)]).toEqual([0, true, false]);
    expect(dry.out).toContain('It was made by operator ada, for Harbor Homes.');
    expect((await withdraw('ivy@example.com')).code).toBe(0);
    const customer = await host.signedIn({ role: 'customer' });
    expect((await accept(customer, secret)).errorCode).toBe('INVITATION_REQUIRED');
    await getsNoCode('ivy@example.com');
    expect(await withdraw('ivy@example.com')).toMatchObject({
      code: 1,
      out: expect.stringContaining('WITHDRAWN'),
    });
    const acts = () => host.rows('select act, by, reason from operator_acts where "invitationId" = $1', [id]);
    const act = { act: 'withdraw-invitation', by: 'operator:ada', reason: 'does not join' };
    expect(await acts()).toEqual([act]);

    await invite('ivy@example.com');
    await settled();
    const other = await secretFor('ivy@example.com');
    expect(other).not.toBe(secret);
    expect((await accept(customer, secret)).errorCode).toBe('INVITATION_REQUIRED');
    expect((await accept(customer, other)).status).toBe(200);
    const late = await withdraw('ivy@example.com');
    expect([late.code, late.out]).toEqual([1, expect.stringContaining('ACCEPTED')]);
    expect(await acts()).toEqual([act]);
  });

  test('may be one of an agent, and is either accepted or withdrawn when both happen at once', async () => {
    const agent = await host.signedIn();
    for (const email of ['jo@example.com', 'kim@example.com', 'lou@example.com', 'max@example.com']) {
      await agent.mutate('users.inviteColleague', { email });
      const secret = await secretFor(email);
      const { id } = (await rowOf(email)) ?? {};
      const customer = await host.signedIn({ role: 'customer' });
      const trail = { by: 'operator:ada', reason: 'does not join', at: Date.now() + 60_000 };
      const [accepted, isWithdrawn] = await Promise.all([
        accept(customer, secret),
        withdrawInvitation(host.pool, String(id), trail),
      ]);
      expect([email, accepted.status === 200]).toEqual([email, !isWithdrawn]);
    }
  });
});

test('with SIGN_UP=agents-invited anyone signs in, and agents need an invitation', async () => {
  const open = await startApiHost({ settings: { SIGN_UP: 'agents-invited' } });
  try {
    const customer = await open.signedIn({ role: 'customer' });
    const become = (person: Person) =>
      person.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'y' });
    expect((await become(customer)).errorCode).toBe('INVITATION_REQUIRED');
    // Who is an agent renews the license.
    expect((await become(await open.signedIn())).status).toBe(200);
  } finally {
    await open.stop();
  }
});
