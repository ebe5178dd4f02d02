import { Hono } from 'hono';
import { type AgentForApproval, agentForApproval } from '../../../persistence/accounts/agent-approvals.ts';
import { type Account, personByEmail, readAccount } from '../../../persistence/accounts/suspensions.ts';
import { searchesForOperators } from '../../../persistence/alerts/operator-reads.ts';
import { actsAbout } from '../../../persistence/console/operator-acts.ts';
import { isUuid } from '../../../persistence/console/search.ts';
import { listingForOperators, listingsOfOwner } from '../../../persistence/listings/take-downs.ts';
import { stateOfAccount, stateOfListing } from '../../operations/acts.ts';
import { ALL_OPERATIONS } from '../../operations/catalogue.ts';
import { fieldsOf } from '../actions/form-fields.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { shortId } from '../labels.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { findView, listingView, personView } from './views.ts';

/**
 * The page of a person, found by id or mail address, and the page of a listing. Addresses are looked up, and neither
 * shown nor kept; that is why the form is posted.
 */
const LISTINGS = 50;
const ACTS = 20;

export function peoplePages({ database }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  const app = new Hono<ConsoleEnv>();
  app.get('/', (c) => show(c, 'People', findView(null)));
  app.post('/', async (c) => {
    const text = ((await fieldsOf(c)).who ?? '').trim();
    const id = text.includes('@') ? await personByEmail(pool, text) : text;
    const account = id !== null && isUuid(id) ? await readAccount(pool, id) : null;
    if (account !== null) return c.redirect(`/console/people/${account.personId}`, 303);
    return show(c, 'People', findView('No account has this id or address.'), 404);
  });
  app.get('/:id', async (c) => {
    const id = c.req.param('id');
    const account = isUuid(id) ? await readAccount(pool, id) : null;
    if (account === null) return c.notFound();
    const { personId } = account;
    const [agent, listings, acts, searches] = await Promise.all([
      agentForApproval(pool, personId),
      listingsOfOwner(pool, personId, LISTINGS),
      actsAbout(pool, { personId }, ACTS),
      searchesForOperators(pool, personId),
    ]);
    const person = { account, agent, listings, searches, acts, actions: actionsOnPerson(account, agent) };
    return show(c, `Person ${shortId(personId)}`, personView(person));
  });
  return app;
}

export function listingPages({ database }: ConsoleContext): Hono<ConsoleEnv> {
  const { pool } = database;
  return new Hono<ConsoleEnv>().get('/:id', async (c) => {
    const id = c.req.param('id');
    const listing = isUuid(id) ? await listingForOperators(pool, id) : null;
    if (listing === null) return c.notFound();
    const { propertyId } = listing;
    const acts = await actsAbout(pool, { propertyId }, ACTS);
    const act = stateOfListing(listing).state === 'SHOWN' ? 'take-down-listing' : 'restore-listing';
    const body = listingView({ listing, acts, actions: [actionOn(act, propertyId)] });
    return show(c, `Listing ${shortId(propertyId)}`, body);
  });
}

/** The first one is what an operator came for. */
function actionsOnPerson(account: Account, agent: AgentForApproval | null) {
  const { personId, sessions } = account;
  const { state } = stateOfAccount(account);
  if (state === 'DELETED') return [];
  return [
    actionOn(state === 'ACTIVE' ? 'suspend-account' : 'restore-account', personId),
    ...(sessions > 0 ? [actionOn('end-sessions', personId)] : []),
    ...(agent !== null && agent.approval === null
      ? [{ title: 'Approve an agent', href: `/console/actions/approve-agent?id=${personId}` }]
      : []),
  ];
}

function actionOn(name: string, id: string) {
  const title = ALL_OPERATIONS.find((one) => one.name === name)?.title ?? name;
  return { title, href: `/console/actions/${name}?id=${id}` };
}

function show(c: PageContext, title: string, body: Html, status: 200 | 404 = 200) {
  return showPage(c, { title, section: 'people', body }, status);
}
