import { Hono } from 'hono';
import { configSecrets } from '../../config/config.ts';
import { createOperations } from '../../operations/catalogue.ts';
import { NOT_YET_DURABLE, type Operation } from '../../operations/operation.ts';
import { UnsignedError } from '../../operations/signature.ts';
import { createScrubber } from '../../telemetry/scrub.ts';
import type { ConsoleContext, ConsoleEnv } from '../context.ts';
import { type Html, type PageContext, showPage } from '../layout.ts';
import { approvalPages } from './approval-routes.ts';
import { bulkPages } from './bulk-routes.ts';
import { clientPages } from './client-routes.ts';
import { fieldsOf } from './form-fields.ts';
import { invitationPages } from './invitation-routes.ts';
import { operationForm, operationList, outcomeView, type PreviewParts, previewView } from './views.ts';

/** When the standby may have caught up. */
const RETRY_AFTER_SECONDS = '5';

/**
 * The pages for operations, mounted at `/console/actions`. They hold no state: the form contains the actor's
 * version. If the actor has changed since, the page is shown again with its new state and nothing is done.
 */
export function actionPages(context: ConsoleContext): Hono<ConsoleEnv> {
  const { database, config, logger } = context;
  const scrub = createScrubber(configSecrets(config));
  const operations = createOperations({
    ...context,
    pool: database.pool,
    outputHosts: config.provider.outputHosts,
    scrub,
  });
  const app = new Hono<ConsoleEnv>();
  app.get('/', (c) => show(c, 'Actions', operationList(operations.list())));
  app.route('/', approvalPages(context, scrub));
  app.route('/', invitationPages(context, scrub));
  app.route('/', clientPages(context, scrub));
  app.route('/', bulkPages(context, { operations, scrub }));
  app.get('/:operation', async (c) => {
    const operation = operations.find(c.req.param('operation'));
    if (operation === null) return c.notFound();
    const id = operation.onlyId ?? c.req.query('id')?.trim() ?? '';
    if (id === '') return show(c, operation.title, operationForm(operation));
    return showPreview(c, operation, { id, force: c.req.query('force') === 'yes' });
  });
  app.post('/:operation', async (c) => {
    const operation = operations.find(c.req.param('operation'));
    if (operation === null) return c.notFound();
    const { id = '', reason = '', version, ...said } = await fieldsOf(c);
    const seenVersion = Number(version);
    const force = said.force === 'yes';
    const showAgain = (notice: string) => showPreview(c, operation, { id, force, reason, notice });
    if (version === undefined || !Number.isSafeInteger(seenVersion))
      return showAgain('Look at what it will do before you ask for it.');
    try {
      const by = c.env.operator;
      const outcome = await operation.run(id, { by, reason, force, seenVersion });
      logger.info(
        {
          event: 'security.operator_act',
          operation: operation.name,
          id,
          operator: by,
          outcome: outcome.outcome,
        },
        'console: operation',
      );
      if (outcome.outcome === 'stale') {
        const unconfirmed = outcome.isDurable ? '' : ` ${NOT_YET_DURABLE}`;
        return showAgain(`Nothing was done. ${outcome.why} This is what it would do now.${unconfirmed}`);
      }
      if (!outcome.isDurable) c.header('retry-after', RETRY_AFTER_SECONDS);
      const status = outcome.isDurable ? (outcome.outcome === 'missing' ? 404 : 200) : 503;
      return show(c, operation.title, outcomeView(operation, outcome, reason), status);
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      return showAgain(`Nothing was done: ${error.message}.`);
    }
  });
  return app;
}

async function showPreview(
  c: PageContext,
  operation: Operation,
  { id, ...form }: { id: string } & Pick<PreviewParts, 'force' | 'reason' | 'notice'>,
): Promise<Response> {
  const preview = await operation.preview(id, { force: form.force });
  const status = form.notice !== undefined ? 409 : preview.outcome === 'missing' ? 404 : 200;
  return show(c, operation.title, previewView({ operation, preview, ...form }), status);
}

function show(c: PageContext, title: string, body: Html, status: 200 | 404 | 409 | 503 = 200) {
  return showPage(c, { title, section: 'actions', body }, status);
}
